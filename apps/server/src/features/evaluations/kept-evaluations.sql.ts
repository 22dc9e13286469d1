import { type SQL, sql } from 'drizzle-orm'
import { evaluationCells, evaluations, runs } from '../../database/schema/index.ts'
import { isKeptRun } from '../../database/statements/open-runs.ts'

/** A run of it is kept from others, or is gone, and may have been. One that is about to begin has no row yet. */
const hasKeptCell = sql`exists (
  select from ${evaluationCells} left join ${runs} on ${runs.id} = ${evaluationCells.executionId}
  where ${evaluationCells.evaluationId} = ${evaluations.id} and ${evaluationCells.executionId} is not null
    and (${runs.id} is not null and ${isKeptRun} or ${runs.id} is null and ${evaluationCells.status} not in ('waiting', 'running'))
)`

/**
 * Whether the viewer learns of an evaluation only that it is there (D68): others of one whose runs may take in private values
 * before it is complete, and of one whose runs did unless all of them are shared. How far it is, when it ends and what it
 * costs would each tell of the values.
 */
export const isKeptFrom = (viewer: { id: number; role: string }): SQL<boolean> => {
  if (viewer.role === 'admin') return sql<boolean>`false`
  return sql<boolean>`(${evaluations.startedBy} <> ${viewer.id} and (
    ${evaluations.status} <> 'completed' and ${evaluations.targets} @> '[{"mayUsePrivateValues": true}]'
    or ${hasKeptCell}
  ))`
}
