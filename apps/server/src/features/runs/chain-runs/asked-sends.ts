import type { AskedSend, User } from '@catenary/contracts'
import type { Context } from '../../../platform/context.ts'
import { listAskedGroups, listRoleHolders } from '../asks/asked-names.sql.ts'
import type { PlannedStep } from '../engine/planned-step.ts'
import { openPlan } from './open-plan.ts'
import { findSends } from './sends.sql.ts'
import { asksPeople, destinationOf, firstPrivate, isAlone } from './sends.ts'

interface AskedSendsOf {
  chainId: number
  label?: string | null
  user: User
  /** The run begins with what an earlier one took in. */
  tookIn?: boolean
}

/** For the form before a run, a token or a schedule: each ask that a private value of theirs may reach. */
export async function listAskedSends(
  ctx: Context,
  { chainId, label = null, user, tookIn = false }: AskedSendsOf,
): Promise<AskedSend[]> {
  const { steps } = await openPlan(ctx, { id: chainId, user, label })
  const plan: PlannedStep[] = steps
  const sending = { plan, values: new Map<string, string>(), user, chainId }
  if (!plan.some(asksPeople) || (await isAlone(ctx, sending))) return []
  const first = tookIn ? 0 : await firstPrivate(ctx, sending)
  const confirmed = new Set(await findSends(ctx.db, { userId: user.id, chainId }))
  const asked: AskedSend[] = []
  for (const { position, title, ask } of plan.slice(first).filter(asksPeople)) {
    const { people, groups, role } = ask
    const destination = await destinationOf(ctx, { chainId, ask })
    const named = await listAskedGroups(ctx.db, groups)
    const count = role === undefined ? 0 : (await listRoleHolders(ctx.db, { chainId, role })).length
    asked.push({
      destination,
      chainId,
      position,
      title,
      kind: 'ask',
      people,
      groups: named.map(({ id: _, ...group }) => group),
      role: role === undefined ? null : { role, count },
      isConfirmed: confirmed.has(destination),
    })
  }
  return asked
}
