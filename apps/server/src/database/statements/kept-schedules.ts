import { type SQL, sql } from 'drizzle-orm'
import { runs, scheduledOccurrences, scheduledRuns } from '../schema/index.ts'
import { isKeptRun } from './open-runs.ts'

const keptRuns = sql`exists (
  select from ${scheduledOccurrences} left join ${runs} on ${runs.id} = ${scheduledOccurrences.executionId}
  where ${scheduledOccurrences.scheduledRunId} = ${scheduledRuns.id} and ${scheduledOccurrences.executionId} is not null
    and (${runs.id} is null or ${isKeptRun})
)`

/** Whether its runs are kept from others (D68): its next time would then tell of failures, which pause it. */
export const hasKeptRuns: SQL<boolean> = sql<boolean>`(${keptRuns})`
