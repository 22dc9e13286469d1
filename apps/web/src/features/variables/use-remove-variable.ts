import type { Variable, VariableUsage } from '@catenary/contracts'
import { useQueryClient } from '@tanstack/react-query'
import { errorReason } from '../../lib/errors.ts'
import { toast } from '../../lib/toast.ts'
import { describeUsage, nameSome } from './variable-usage.ts'
import { useDeleteVariable, variableUsageQuery } from './variables.queries.ts'

/** Asks the browser, naming what uses the variable, then deletes it. */
export function useRemoveVariable() {
  const queryClient = useQueryClient()
  const { mutate } = useDeleteVariable()
  return async ({ id, name }: Pick<Variable, 'id' | 'name'>) => {
    // An unknown usage must not prevent deleting.
    const usage = await queryClient.fetchQuery(variableUsageQuery(id)).catch(() => null)
    if (!window.confirm(questionOf({ name, usage }))) return
    mutate(id, {
      onSuccess: () => toast({ title: 'Variable deleted', description: `$<${name}> was deleted.` }),
      onError: (error) =>
        toast({ title: 'Error deleting variable', description: errorReason(error), variant: 'destructive' }),
    })
  }
}

/** What the browser asks before a variable is deleted. */
function questionOf({ name, usage }: { name: string; usage: VariableUsage | null }): string {
  const question = `Delete the variable “${name}”?`
  if (!usage) return `${question} Prompts that use it keep $<${name}> as it is.`
  const { prompts, chains } = usage
  if (prompts.length + chains.length === 0) return `${question} Nothing uses it.`
  const used = describeUsage({ prompts: prompts.length, chains: chains.length })
  const names = nameSome([...prompts.map(({ title }) => title), ...chains.map(({ name }) => name)])
  return `${question} It is used by ${used}: ${names}. They keep $<${name}> as it is.`
}
