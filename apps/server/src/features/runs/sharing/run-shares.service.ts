import type { RunShare, ShareRunsRequest, Turn, User } from '@catenary/contracts'
import { extractVariables } from '@catenary/domain'
import type { Database } from '../../../db/executor.ts'
import { AppError } from '../../../errors.ts'
import type { ChainsService } from '../../chains/chains.ts'
import type { PromptsService } from '../../prompts/prompts.ts'
import type { VariablesService } from '../../variables/variables.ts'
import { joinTemplates } from '../engine/step-templates.ts'
import { readRunState } from '../history/operations/read-run.ts'
import type { RunHistoryDeps } from '../history/run-history-deps.ts'
import {
  deleteRunShare,
  findOptionalRunShare,
  listUsedNames,
  type SharedRecord,
  saveRunShare,
  shareRun,
  unshareRun,
} from './run-shares.repository.ts'

interface RunSharesDeps {
  db: Database
  history: RunHistoryDeps
  chains: Pick<ChainsService, 'requireVisible' | 'openForRun'>
  prompts: Pick<PromptsService, 'find'>
  variables: Pick<VariablesService, 'privateNames'>
}

interface SentTexts {
  content: string
  systemPrompt?: string | null | undefined
  messages?: readonly Turn[] | undefined
}

interface Wanted {
  id: number
  user: User
}

interface OfRecord {
  record: SharedRecord
  user: User
}

const textsOf = ({ content, systemPrompt, messages = [] }: SentTexts): string =>
  joinTemplates({ content, systemPrompt: systemPrompt ?? '', messages })

export type RunSharesService = ReturnType<typeof createRunSharesService>

/** How people share their own runs with everyone who sees the chain or prompt (D59). */
export function createRunSharesService({ db, history, chains, prompts, variables }: RunSharesDeps) {
  /** What the record sends now; throws `not_found` for one that the person can't see. */
  async function readTexts({ record: { kind, id }, user }: OfRecord): Promise<string[]> {
    if (kind === 'prompt') return [textsOf(await prompts.find({ id, user }))]
    await chains.requireVisible({ id, user })
    try {
      return (await chains.openForRun({ id, user })).steps.map(textsOf)
    } catch (error) {
      // One that can't run now may still have earlier runs.
      if (error instanceof AppError && error.code === 'conflict') return []
      throw error
    }
  }

  async function show({ record, user }: OfRecord): Promise<RunShare> {
    const texts = await readTexts({ record, user })
    const own = { record, userId: user.id }
    const named = await variables.privateNames({ names: texts.flatMap(extractVariables), user })
    const used = await listUsedNames(db, own)
    const share = await findOptionalRunShare(db, own)
    return {
      isShared: share !== undefined,
      names: share?.names ?? [],
      privateNames: [...new Set([...named, ...used])].toSorted(),
    }
  }

  return {
    /** Shares the attempt that has ended; resuming the run ends that. */
    async shareRun({ id, user }: Wanted): Promise<void> {
      const { sight, status } = await readRunState(history, { id, user })
      if (sight !== 'own') throw new AppError('forbidden', 'Only the person who started a run may share it')
      if (status === 'running' || !(await shareRun(db, { id, userId: user.id })))
        throw new AppError('conflict', 'This run is under way. Share it once it has ended.')
    },

    /** Also of a run whose chain the person does not see any more. */
    async unshareRun({ id, user }: Wanted): Promise<void> {
      if (await unshareRun(db, { id, userId: user.id })) return
      await readRunState(history, { id, user })
      throw new AppError('forbidden', 'Only the person who started a run may share it')
    },

    show,

    async save({ names, ...of }: OfRecord & ShareRunsRequest): Promise<RunShare> {
      await readTexts(of)
      await saveRunShare(db, { record: of.record, userId: of.user.id, names: [...new Set(names)].toSorted() })
      return show(of)
    },

    /** Takes it back, whether the person sees the record or not. */
    delete: ({ record, user }: OfRecord): Promise<void> => deleteRunShare(db, { record, userId: user.id }),
  }
}
