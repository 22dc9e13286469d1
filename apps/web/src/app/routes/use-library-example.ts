import type { Prompt, User } from '@catenary/contracts'
import { findVariable } from '@catenary/domain'
import { useQueryClient } from '@tanstack/react-query'
import type { LibraryExample } from '../../features/prompts/library-empty.tsx'
import { useCreatePrompt } from '../../features/prompts/prompts.queries.ts'
import { allVariablesQuery, useCreateVariable } from '../../features/variables/variables.queries.ts'
import { errorReason } from '../../lib/errors.ts'
import { toast } from '../../lib/toast.ts'

/** Makes the newcomer's example with the variable that it takes, unless they see one of its name. */
export function useLibraryExample(user: User | null): (example: LibraryExample) => Promise<Prompt> {
  const queryClient = useQueryClient()
  const { mutateAsync: createVariable } = useCreateVariable()
  const { mutateAsync: createPrompt } = useCreatePrompt()
  return async ({ variable, ...prompt }) => {
    try {
      const variables = await queryClient.fetchQuery(allVariablesQuery)
      const known = findVariable({ name: variable.name, variables, username: user?.username })
      if (!known) await createVariable({ ...variable, type: 'text' })
      return await createPrompt(prompt)
    } catch (error) {
      const description = `Failed to create the example: ${errorReason(error)}`
      toast({ title: 'Error', description, variant: 'destructive' })
      throw error
    }
  }
}
