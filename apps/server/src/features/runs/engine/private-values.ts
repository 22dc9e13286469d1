import type { User, ValueOrigin } from '@catenary/contracts'
import { extractVariables } from '@catenary/domain'
import type { VariablesService } from '../../variables/variables.ts'
import type { PlannedStep } from './planned-step.ts'
import { joinTemplates } from './step-templates.ts'

/** A value that only who ran it could see; without the note it counts as one. */
function isPrivateOrigin({ type, isPrivate }: ValueOrigin): boolean {
  return type !== 'typed' && type !== 'none' && isPrivate !== false
}

/** Whether one of the values that a text took in is private. */
export function usesPrivateValues(resolved: Record<string, ValueOrigin>): boolean {
  return Object.values(resolved).some(isPrivateOrigin)
}

/** Whether a run may take in a private value: a text of it names a variable which only its runner sees, and has no other value (D68). */
export async function mayUsePrivateValues(
  { variables }: { variables: Pick<VariablesService, 'privateNames'> },
  { plan, values, user }: { plan: PlannedStep[]; values: ReadonlyMap<string, string>; user: User },
): Promise<boolean> {
  const named = plan.flatMap(({ template: content, systemPrompt, messages = [] }) =>
    extractVariables(joinTemplates({ content, systemPrompt, messages })),
  )
  const names = [...new Set(named)].filter((name) => !values.has(name))
  return names.length > 0 && (await variables.privateNames({ names, user })).length > 0
}
