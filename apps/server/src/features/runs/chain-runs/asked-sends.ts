import type { AskedSend, User } from '@catenary/contracts'
import type { Context } from '../../../platform/context.ts'
import { listAskedGroups, listRoleHolders } from '../asks/asked-names.sql.ts'
import type { PlannedStep } from '../engine/planned-step.ts'
import { inRun } from './kinds/tool/tool-types.ts'
import type { ShownSend } from './kinds/tool/type-in-run.ts'
import { openPlan } from './open-plan.ts'
import { findSends } from './sends.sql.ts'
import { destinationOf, firstPrivate, isAlone, isOpen, sendsOut } from './sends.ts'

interface AskedSendsOf {
  chainId: number
  label?: string | null
  user: User
  /** The run begins with what an earlier one took in. */
  tookIn?: boolean
}

/** For the form before a run, a token or a schedule: each place that a private value of theirs may reach. */
export async function listAskedSends(
  ctx: Context,
  { chainId, label = null, user, tookIn = false }: AskedSendsOf,
): Promise<AskedSend[]> {
  const { steps } = await openPlan(ctx, { id: chainId, user, label })
  const plan: PlannedStep[] = steps
  const sending = { plan, values: new Map<string, string>(), user, chainId }
  if (!plan.some(sendsOut) || (await isAlone(ctx, sending))) return []
  const first = tookIn ? 0 : await firstPrivate(ctx, sending)
  const confirmed = new Set(await findSends(ctx.db, { userId: user.id, chainId }))
  const asked: AskedSend[] = []
  for (const step of plan.slice(first).filter((step) => sendsOut(step) && !isOpen(step))) {
    const destination = await destinationOf(ctx, { chainId, step })
    const { position, title } = step
    const isConfirmed = confirmed.has(destination)
    asked.push({
      destination,
      chainId,
      position,
      title,
      isConfirmed,
      ...(await partsOf(ctx, { chainId, step })),
    })
  }
  return asked
}

/** What a person reads of a destination. */
async function partsOf(
  ctx: Context,
  { chainId, step: { ask, tool } }: { chainId: number; step: PlannedStep },
): Promise<ShownSend<AskedSend>> {
  if (tool) return inRun(tool).shown(tool)
  const { people = [], groups = [], role } = ask ?? {}
  const named = await listAskedGroups(ctx.db, groups)
  const count = role === undefined ? 0 : (await listRoleHolders(ctx.db, { chainId, role })).length
  return {
    kind: 'ask',
    people,
    groups: named.map(({ id: _, ...group }) => group),
    role: role === undefined ? null : { role, count },
  }
}
