import type { RunShare, ShareRunsRequest, Turn, User } from '@catenary/contracts'
import { extractVariables, flowTemplate, outputsBefore } from '@catenary/domain'
import { AppError } from '../../../errors.ts'
import { type AppContext, type Context, transaction } from '../../../platform/context.ts'
import { recordActivity } from '../../activity/activity.ts'
import { openChainForRun, requireVisibleChain } from '../../chains/chains.ts'
import { readPrompt } from '../../prompts/prompts.ts'
import { listPrivateNames } from '../../variables/variables.ts'
import { joinTemplates } from '../engine/step-templates.ts'
import { readRunState } from '../history/read-run.ts'
import {
  deleteRunShare,
  findOptionalRunShare,
  listUsedNames,
  markShared,
  markUnshared,
  type SharedRecord,
  saveRunShare,
} from './run-shares.sql.ts'

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

/** Shares the attempt of one's own run that has ended with everyone who sees its chain or prompt (D59); resuming it ends that. */
export async function shareRun(ctx: Context, { id, user }: Wanted): Promise<void> {
  const { sight, status } = await readRunState(ctx, { id, user })
  if (sight !== 'own') throw new AppError('forbidden', 'Only the person who started a run may share it')
  const stillRunning = new AppError('conflict', 'This run is still running. Share it once it has ended.')
  if (status === 'running') throw stillRunning
  await transaction(ctx, async (ctx) => {
    if (!(await markShared(ctx.db, { id, userId: user.id }))) throw stillRunning
    await recordActivity(ctx, { kind: 'run.shared', object: 'run', id })
  })
}

/** Also of a run whose chain the person does not see any more. */
export async function unshareRun(ctx: Context, { id, user }: Wanted): Promise<void> {
  const isOwn = await transaction(ctx, async (ctx) => {
    if (!(await markUnshared(ctx.db, { id, userId: user.id }))) return false
    await recordActivity(ctx, { kind: 'run.share_ended', object: 'run', id })
    return true
  })
  if (isOwn) return
  await readRunState(ctx, { id, user })
  throw new AppError('forbidden', 'Only the person who started a run may share it')
}

export async function showRunShare(ctx: AppContext, { record, user }: OfRecord): Promise<RunShare> {
  const texts = await readTexts(ctx, { record, user })
  const own = { record, userId: user.id }
  const named = await listPrivateNames(ctx, { names: texts.flatMap(extractVariables), user })
  const used = await listUsedNames(ctx.db, own)
  const share = await findOptionalRunShare(ctx.db, own)
  return {
    isShared: share !== undefined,
    names: share?.names ?? [],
    privateNames: [...new Set([...named, ...used])].toSorted(),
  }
}

/** Shares all one's runs of it, as far as they use no other private names. */
export async function shareRunsOf(
  ctx: AppContext,
  { names, ...of }: OfRecord & ShareRunsRequest,
): Promise<RunShare> {
  await readTexts(ctx, of)
  const { record, user } = of
  await transaction(ctx, async (ctx) => {
    await saveRunShare(ctx.db, { record, userId: user.id, names: [...new Set(names)].toSorted() })
    const { kind, id } = record
    await recordActivity(ctx, { kind: `${kind}.runs_shared`, object: kind, id })
  })
  return showRunShare(ctx, of)
}

export function unshareRunsOf(ctx: Context, { record, user }: OfRecord): Promise<void> {
  return transaction(ctx, async (ctx) => {
    await deleteRunShare(ctx.db, { record, userId: user.id })
    const { kind, id } = record
    await recordActivity(ctx, { kind: `${kind}.run_share_ended`, object: kind, id })
  })
}

async function readTexts(ctx: AppContext, { record: { kind, id }, user }: OfRecord): Promise<string[]> {
  if (kind === 'prompt') return [textsOf(await readPrompt(ctx, { id, user }))]
  await requireVisibleChain(ctx, { id, user })
  try {
    const { steps } = await openChainForRun(ctx, { id, user })
    const outputs = outputsBefore(steps)
    return steps.flatMap((step, index) => [textsOf(step), flowTemplate(step, outputs[index])])
  } catch (error) {
    // One that can't run now may still have earlier runs.
    if (error instanceof AppError && error.code === 'conflict') return []
    throw error
  }
}

const textsOf = ({ content, systemPrompt, messages = [] }: SentTexts): string =>
  joinTemplates({ content, systemPrompt: systemPrompt ?? '', messages })
