import type { RunAccessLevel, User } from '@catenary/contracts'
import type { Context } from '../../../platform/context.ts'
import { findRunRights, type RunRights } from '../../chains/chains.ts'
import { listVisibleClips } from '../../prompts/prompts.ts'
import { accessLevelOf, isShownPromptRun, type SharedRun, seesChainRun } from './runs.policy.ts'
import type { RunRow } from './runs.sql.ts'

export type RunView = MetricsView | PresenceView

export interface MetricsView extends Rights {
  access: RunAccessLevel
}

interface PresenceView extends Rights {
  access: 'presence'
}

interface Rights {
  canStop: boolean
  isSeenByEditors: boolean
}

export type ChainRun = SharedRun & Pick<RunRow, 'visibilityEpoch'>

export const FULL_ACCESS: MetricsView = { access: 'own', canStop: true, isSeenByEditors: false }
export const METRICS_ONLY: MetricsView = { access: 'figures', canStop: false, isSeenByEditors: false }

export const PRESENCE_ONLY: RunView = { access: 'presence', canStop: false, isSeenByEditors: false }

export function toView({
  user,
  run,
  rights,
}: {
  user: User
  run: ChainRun
  rights: RunRights
}): RunView | undefined {
  const isShown = seesChainRun(user, run, rights)
  const access = accessLevelOf(user, run, { canView: rights.canView, isShown })
  if (access === undefined) return undefined
  const isSeenByEditors =
    rights.showsRuns && run.visibilityEpoch !== null && run.visibilityEpoch === rights.visibilityEpoch
  return { access, canStop: access === 'own' || (isShown && rights.canEdit), isSeenByEditors }
}

/** The same of a prompt's run: of one that may use private values others see nothing before it is open. */
export function toPromptView({
  user,
  run,
  canView,
}: {
  user: User
  run: SharedRun
  canView: boolean
}): MetricsView | undefined {
  if (run.userId === user.id) return FULL_ACCESS
  const access = accessLevelOf(user, run, { canView, isShown: isShownPromptRun(user, { canView }) })
  if (access === undefined || access === 'presence') return undefined
  return { access, canStop: false, isSeenByEditors: false }
}

export async function findRunView(
  ctx: Context,
  { user, run }: { user: User; run: ChainRun & Pick<RunRow, 'chainId' | 'promptId'> },
): Promise<RunView | undefined> {
  const { chainId, promptId } = run
  if (chainId !== null) return toView({ user, run, rights: await findRunRights(ctx, { id: chainId, user }) })
  const canView = promptId !== null && (await listVisible(ctx, { ids: [promptId], user })).has(promptId)
  return toPromptView({ user, run, canView })
}

export async function listVisible(
  ctx: Context,
  wanted: { ids: number[]; user: User },
): Promise<ReadonlySet<number>> {
  return new Set((await listVisibleClips(ctx, wanted)).keys())
}
