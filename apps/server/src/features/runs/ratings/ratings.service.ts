import type { RateRequest, Rating, RunRatings, User } from '@catenary/contracts'
import type { Database } from '../../../db/executor.ts'
import { AppError } from '../../../errors.ts'
import { readRunState } from '../history/operations/read-run.ts'
import type { RunHistoryDeps } from '../history/run-history-deps.ts'
import { canRateRun, canSeeOthersRatings } from './ratings.policy.ts'
import {
  deleteRating,
  findOptionalRating,
  listOthersRatings,
  lockRun,
  saveRating,
} from './ratings.repository.ts'

const OTHERS_SHOWN = 100

interface RatingsDeps {
  db: Database
  history: RunHistoryDeps
}

interface Wanted {
  id: number
  user: User
}

export type RatingsService = ReturnType<typeof createRatingsService>

/** What people think of the answers that they see: one thumb and note a run, deleted with it. */
export function createRatingsService({ db, history }: RatingsDeps) {
  /** Throws `not_found` for a run that the person can't see, `forbidden` where they see no answer. */
  async function findAccessLevel(wanted: Wanted) {
    const { sight } = await readRunState(history, wanted)
    if (!canRateRun(sight)) throw new AppError('forbidden', 'Only who may read an answer may rate it')
    return sight
  }

  return {
    async list({ id: executionId, user }: Wanted): Promise<RunRatings> {
      const sight = await findAccessLevel({ id: executionId, user })
      const own = await findOptionalRating(db, { executionId, userId: user.id })
      if (!canSeeOthersRatings(sight)) return { own: own ?? null, others: [] }
      const others = await listOthersRatings(db, { executionId, userId: user.id, limit: OTHERS_SHOWN })
      return {
        own: own ?? null,
        others: others.map(({ ratedAt, ...other }) => ({ ...other, ratedAt: ratedAt.toISOString() })),
      }
    },

    /** Writes the person's own rating of the run, or another in its place. */
    async save({ rating, ...wanted }: Wanted & { rating: RateRequest }): Promise<Rating> {
      await findAccessLevel(wanted)
      const { id: executionId, user } = wanted
      await db.transaction(async (tx) => {
        if (!(await lockRun(tx, executionId))) throw new AppError('not_found', 'Execution not found')
        await saveRating(tx, { executionId, userId: user.id, rating })
      })
      return rating
    },

    /** Takes the person's own rating back; where there is none, nothing happens. */
    async delete(wanted: Wanted): Promise<void> {
      await findAccessLevel(wanted)
      await deleteRating(db, { executionId: wanted.id, userId: wanted.user.id })
    },
  }
}
