import { FILLS_MAX, type FindFillsRequest, type FoundFills, type User } from '@catenary/contracts'
import type { Database } from '../../db/executor.ts'
import { listHeldNames } from './held-names.repository.ts'

export type Fills = ReturnType<typeof createFillsService>

/** What a token or a schedule would be filled with of its person's private values. */
export function createFillsService({ db }: { db: Database }) {
  return {
    /** By the texts as they are now; of records that the person does not see, nothing. */
    async find({ user, ...reach }: FindFillsRequest & { user: User }): Promise<FoundFills> {
      const held = await listHeldNames(db, { userId: user.id, ...reach })
      const asked = held.filter(({ isOwn }) => !isOwn).slice(0, FILLS_MAX)
      const own = held.filter(({ isOwn }) => isOwn).map(({ name }) => name)
      return { fills: asked.map(({ isOwn: _, ...fill }) => fill), own: [...new Set(own)] }
    },
  }
}
