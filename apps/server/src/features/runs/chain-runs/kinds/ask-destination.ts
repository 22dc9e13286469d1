import { createHmac } from 'node:crypto'
import type { Context } from '../../../../platform/context.ts'
import { listAskedGroups, listPeopleNamed, listRoleHolders } from '../../asks/asked-names.sql.ts'
import type { PlannedStep } from '../../engine/planned-step.ts'

/**
 * Whom an ask's text reaches, as its runner confirms it (D89): its people and groups by name and id, and of a role who has
 * it now. Those have no names here, which the runner may not see; another set is another destination.
 */
export async function destinationOfAsk(
  ctx: Context,
  { chainId, step: { ask } }: { chainId: number; step: PlannedStep },
): Promise<string> {
  const { people = [], groups = [], role } = ask ?? {}
  const { db, settings } = ctx
  const named: string[] = []
  for (const name of [...people].sort()) named.push(`${name}#${(await listPeopleNamed(db, [name]))[0] ?? 0}`)
  for (const { id, name } of await listAskedGroups(db, groups)) named.push(`${JSON.stringify(name)}#${id}`)
  if (role !== undefined) {
    const holders = await listRoleHolders(db, { chainId, role })
    const digest = createHmac('sha256', settings.secretKey).update(`role ${chainId} ${holders}`).digest('hex')
    named.push(`${role}#${digest.slice(0, 32)}`)
  }
  return `ask: ${named.join(', ')}`
}
