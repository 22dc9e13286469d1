import { readThroughCache } from '../../platform/cache/read-through-cache.ts'
import { type Context, onePerApp } from '../../platform/context.ts'
import { canEditRecord, canViewRecord } from '../records/records.ts'
import { canSeeRuns, showsRuns, visibilityEpochOf } from './chains.policy.ts'
import { findOptionalChain } from './chains.sql.ts'
import type { ForUser } from './read-chains.ts'

export interface RunRights {
  canView: boolean
  canEdit: boolean
  canSeeRuns: boolean
  showsRuns: boolean
  visibilityEpoch: number | null
}

const NO_RIGHTS: RunRights = {
  canView: false,
  canEdit: false,
  canSeeRuns: false,
  showsRuns: false,
  visibilityEpoch: null,
}

/** Pairs of person and chain. */
const RIGHTS_KEPT = 10_000

const cachedRights = onePerApp(({ db, rowChanges }) =>
  readThroughCache({
    rowChanges,
    keyOf: ({ id, user }: ForUser) => `${id} ${user.id} ${user.role}`,
    load: async ({ id, user }) => {
      const chain = await findOptionalChain(db, { id, viewerId: user.id })
      return (
        chain && {
          id,
          userId: user.id,
          canView: canViewRecord(user, chain),
          canEdit: canEditRecord(user, chain),
          canSeeRuns: canSeeRuns(user, chain),
          showsRuns: showsRuns(chain),
          visibilityEpoch: visibilityEpochOf(chain),
        }
      )
    },
    rowsOf: ({ id, userId }) => [`chains:${id}`, `users:${userId}`],
    capacity: RIGHTS_KEPT,
  }),
)

/** Kept in memory: streams outlive a share, and ask again each second. */
export async function findRunRights(ctx: Context, wanted: ForUser): Promise<RunRights> {
  return (await cachedRights(ctx)(wanted)) ?? NO_RIGHTS
}
