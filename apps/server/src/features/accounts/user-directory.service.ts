import type { FoundUser } from '@catenary/contracts'
import type { Database, Executor } from '../../db/executor.ts'
import { listUsersByUsername, searchUsers } from './user-directory.repository.ts'

/** How many people a search shows at most. */
const FOUND_MAX = 10

export type UserDirectory = ReturnType<typeof createUserDirectory>

/** What people learn of each other: that there is someone of that name. */
export function createUserDirectory({ db }: { db: Database }) {
  return {
    /** People whose username begins so, without regard to case; disabled accounts are left out. */
    search(start: string): Promise<FoundUser[]> {
      return searchUsers(db, { start, limit: FOUND_MAX })
    },

    /** The accounts of those usernames, without regard to case; runs in the caller's transaction. */
    async listByUsernames(executor: Executor, usernames: string[]): Promise<FoundUser[]> {
      return usernames.length === 0 ? [] : listUsersByUsername(executor, usernames)
    },
  }
}
