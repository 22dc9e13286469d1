import type { Rating } from '@catenary/contracts'
import { and, eq, type SQL, sql } from 'drizzle-orm'
import { runRatings, runs } from '../../../database/schema/index.ts'

const { executionId, userId, thumb, note } = runRatings

export const ratingColumns = { thumb, note }

export function isRatingOf(viewerId: number): SQL | undefined {
  return and(eq(executionId, runs.id), eq(userId, viewerId))
}

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
