import type { RunSight, User } from '@catenary/contracts'
import type { Database } from '../../../db/executor.ts'
import type { ChainsService, RunRights } from '../../chains/chains.service.ts'
import type { PromptsService } from '../../prompts/prompts.service.ts'
import { canStopRun, sightOfChainRun, sightOfPromptRun } from './runs.policy.ts'
import type { RunRow } from './runs.repository.ts'

/** What a person sees of a run, and may do with it. */
export interface RunView {
  sight: RunSight
  canStop: boolean
  /** Owner and editors of its chain see it too. */
  isSeenByEditors: boolean
}

export type ChainRun = Pick<RunRow, 'userId' | 'runsOpening'>

export const OWN: RunView = { sight: 'own', canStop: true, isSeenByEditors: false }
export const FIGURES: RunView = { sight: 'figures', canStop: false, isSeenByEditors: false }

/** What the person sees of the run of a chain; undefined: nothing. */
export function toView({
  user,
  run,
  rights,
}: {
  user: User
  run: ChainRun
  rights: RunRights
}): RunView | undefined {
  const sight = sightOfChainRun(user, run, rights)
  if (sight === undefined) return undefined
  const isSeenByEditors = rights.showsRuns && run.runsOpening !== null && run.runsOpening === rights.opening
  return { sight, canStop: canStopRun({ sight, canEdit: rights.canEdit }), isSeenByEditors }
}

interface RunSightsDeps {
  db: Database
  prompts: Pick<PromptsService, 'listVisibleClips'>
  chains: Pick<ChainsService, 'findRunRights'>
}

/** Who sees what of a run (D42). */
export function createRunSights({ db, prompts, chains }: RunSightsDeps) {
  /** What the person sees of the run; undefined: nothing. */
  async function findView(
    user: User,
    run: Pick<RunRow, 'userId' | 'chainId' | 'promptId' | 'runsOpening'>,
  ): Promise<RunView | undefined> {
    const { chainId, promptId } = run
    if (chainId !== null)
      return toView({ user, run, rights: await chains.findRunRights({ id: chainId, user }) })
    const canView = promptId !== null && (await listVisible([promptId], user)).has(promptId)
    const sight = sightOfPromptRun(user, run, { canView })
    return sight && { sight, canStop: canStopRun({ sight, canEdit: false }), isSeenByEditors: false }
  }

  async function listVisible(ids: number[], user: User): Promise<ReadonlySet<number>> {
    return new Set((await prompts.listVisibleClips(db, { ids, user })).keys())
  }

  return { findView, listVisible }
}
