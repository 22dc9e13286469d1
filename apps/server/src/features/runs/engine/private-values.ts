import { PRIVATE_VALUES, type User, type ValueOrigin } from '@catenary/contracts'
import { extractVariables, flowTemplate, outputsBefore } from '@catenary/domain'
import { AppError } from '../../../errors.ts'
import type { Context } from '../../../platform/context.ts'
import { WITHHELD, type WithheldName } from '../../records/records.ts'
import { listPrivateNames } from '../../variables/variables.ts'
import type { PlannedStep } from './planned-step.ts'
import { WithheldValueError } from './run-ending.ts'
import { joinTemplates } from './step-templates.ts'

/** A value that only who ran it could see; without the note it counts as one. */
export function isPrivateOrigin({ type, isPrivate }: ValueOrigin): boolean {
  return type !== 'typed' && type !== 'none' && isPrivate !== false
}

export function usesPrivateValues(resolved: Record<string, ValueOrigin>): boolean {
  return Object.values(resolved).some(isPrivateOrigin)
}

/** One of its texts names a variable that only its runner sees, and that has no other value (D68). */
export async function mayUsePrivateValues(
  ctx: Context,
  { plan, values, user }: { plan: PlannedStep[]; values: ReadonlyMap<string, string>; user: User },
): Promise<boolean> {
  const outputs = outputsBefore(plan)
  const named = plan.flatMap(({ template: content, systemPrompt, messages = [], onlyIf, forEach }, index) => {
    const asked = flowTemplate({ onlyIf, forEach }, outputs[index])
    return [joinTemplates({ content, systemPrompt, messages }), asked].flatMap(extractVariables)
  })
  const names = [...new Set(named)].filter((name) => !values.has(name))
  return names.length > 0 && (await listPrivateNames(ctx, { names, user })).length > 0
}

export function withheldIn(resolved: Record<string, ValueOrigin>): string[] {
  return Object.keys(resolved).filter((name) => resolved[name]?.error === WITHHELD)
}

/** Throws for the first: whatever the chain says of missing values, such a step is not sent (D69). */
export function requireNoneWithheld(resolved: Record<string, ValueOrigin>): void {
  const [name] = withheldIn(resolved)
  if (name !== undefined) throw new WithheldValueError(`$<${name}> has no value here. ${WITHHELD}.`)
}

export function refusePrivateNames(asked: readonly WithheldName[]): void {
  if (asked.length === 0) return
  const details = [...new Map(asked.map((one) => [JSON.stringify(one), one])).values()]
  const names = [...new Set(details.map(({ name }) => `$<${name}>`))].join(', ')
  const message = `Somebody else brought ${names} into this text, and your value is private. Allow it to be filled in first.`
  throw new AppError('conflict', message, { details, reason: PRIVATE_VALUES })
}
