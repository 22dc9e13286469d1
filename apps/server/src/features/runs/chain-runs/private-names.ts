import type { User } from '@catenary/contracts'
import type { Context } from '../../../platform/context.ts'
import { type Allowed, findWithheld, type WithheldName } from '../../records/records.ts'
import { listPrivateNames } from '../../variables/variables.ts'
import type { OpenedStep, PlannedStep } from '../engine/planned-step.ts'
import { refusePrivateNames } from '../engine/private-values.ts'

export async function planAllowed(
  steps: readonly OpenedStep[],
  allowed: Allowed,
): Promise<{ plan: PlannedStep[]; withheld: WithheldName[] }> {
  const withheld: WithheldName[] = []
  const plan: PlannedStep[] = []
  for (const { others, ...step } of steps) {
    const found = await findWithheld(others, allowed)
    withheld.push(...found)
    const names = new Set(found.map(({ name }) => name))
    const given = others.flatMap((text) => text.names).filter((name) => !names.has(name))
    plan.push({ ...step, withheld: [...names], allowed: [...new Set(given)] })
  }
  return { plan, withheld }
}

interface Asked {
  withheld: readonly WithheldName[]
  user: User
  typed: Iterable<string>
}

/** Throws `conflict` with the names for which the person has a private value that they did not allow. */
export async function requireAllowedNames(ctx: Context, { withheld, user, typed }: Asked): Promise<void> {
  const names = [...new Set(withheld.map(({ name }) => name))]
  const owned = new Set(await listPrivateNames(ctx, { names, user }))
  refuseUnallowed({ withheld, typed, owned })
}

export function refuseUnallowed({
  withheld,
  typed,
  owned,
}: Omit<Asked, 'user'> & { owned: ReadonlySet<string> }): void {
  const given = new Set([...typed].map((name) => name.toLowerCase()))
  refusePrivateNames(withheld.filter(({ name }) => owned.has(name) && !given.has(name)))
}
