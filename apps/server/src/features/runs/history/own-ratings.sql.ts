import type { Rating } from '@catenary/contracts'
import { and, eq, type SQL, sql } from 'drizzle-orm'
import { runRatings, runs } from '../../../db/schema/index.ts'

const { executionId, userId, thumb, note } = runRatings

/** Of the rating that a run is joined with. */
export const ratingColumns = { thumb, note }

/** What a run is joined with: what the viewer thinks of it. */
export function isRatingOf(viewerId: number): SQL | undefined {
  return and(eq(executionId, runs.id), eq(userId, viewerId))
}

/** Runs that the viewer rated so; all where it is not asked for. */
export function isRated({
  viewerId,
  rated,
}: {
  viewerId: number
  rated: Rating['thumb'] | undefined
}): SQL | undefined {
  if (!rated) return undefined
  return sql`${runs.id} in (
    select ${executionId} from ${runRatings} where ${userId} = ${viewerId} and ${thumb} = ${rated}
  )`
}
