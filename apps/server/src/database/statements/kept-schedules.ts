import { type SQL, sql } from 'drizzle-orm'
import { runs, scheduledOccurrences, scheduledRuns } from '../schema/index.ts'
import { isKeptRun } from './open-runs.ts'

const keptRuns = sql`exists (
  select from ${scheduledOccurrences} left join ${runs} on ${runs.id} = ${scheduledOccurrences.executionId}
  where ${scheduledOccurrences.scheduledRunId} = ${scheduledRuns.id} and ${scheduledOccurrences.executionId} is not null
    and (${runs.id} is null or ${isKeptRun})
)`

/**
 * Whether runs of a schedule are kept from others than its creator (D68): its next time then would tell that they failed,
 * as failures pause it.
 */
export const hasKeptRuns: SQL<boolean> = sql<boolean>`(${keptRuns})`
