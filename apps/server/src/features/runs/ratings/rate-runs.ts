import type { RateRequest, Rating, RunRatings, RunSight, User } from '@catenary/contracts'
import { AppError } from '../../../errors.ts'
import { type Context, transaction } from '../../../platform/context.ts'
import { recordActivity } from '../../activity/activity.ts'
import { readRunState } from '../history/read-run.ts'
import { deleteRating, findOptionalRating, listOthersRatings, lockRun, saveRating } from './ratings.sql.ts'

const OTHERS_SHOWN = 100

interface Wanted {
  id: number
  user: User
}

export async function listRatings(ctx: Context, { id: executionId, user }: Wanted): Promise<RunRatings> {
  const sight = await requireAnswer(ctx, { id: executionId, user })
  const own = await findOptionalRating(ctx.db, { executionId, userId: user.id })
  // Each sees their own rating; who started the run sees what others think of it.
  if (sight !== 'own') return { own: own ?? null, others: [] }
  const others = await listOthersRatings(ctx.db, { executionId, userId: user.id, limit: OTHERS_SHOWN })
  return {
    own: own ?? null,
    others: others.map(({ ratedAt, ...other }) => ({ ...other, ratedAt: ratedAt.toISOString() })),
  }
}

export async function rateRun(
  ctx: Context,
  { rating, ...wanted }: Wanted & { rating: RateRequest },
): Promise<Rating> {
  await requireAnswer(ctx, wanted)
  const { id: executionId, user } = wanted
  await transaction(ctx, async (ctx) => {
    if (!(await lockRun(ctx.db, executionId))) throw new AppError('not_found', 'Execution not found')
    await saveRating(ctx.db, { executionId, userId: user.id, rating })
    await recordActivity(ctx, { kind: 'run.rated', object: 'run', id: executionId })
  })
  return rating
}

export async function unrateRun(ctx: Context, wanted: Wanted): Promise<void> {
  await requireAnswer(ctx, wanted)
  const { id, user } = wanted
  await transaction(ctx, async (ctx) => {
    await deleteRating(ctx.db, { executionId: id, userId: user.id })
    await recordActivity(ctx, { kind: 'run.rating_removed', object: 'run', id })
  })
}

async function requireAnswer(ctx: Context, wanted: Wanted): Promise<RunSight> {
  const { sight } = await readRunState(ctx, wanted)
  if (sight === 'own' || sight === 'texts') return sight
  throw new AppError('forbidden', 'Only people who can read an answer may rate it')
}
