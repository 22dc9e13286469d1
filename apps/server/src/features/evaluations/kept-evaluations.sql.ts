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
 * Whether the viewer learns only that an evaluation exists (D68): others do before it is complete if its runs may
 * use private values, and afterwards if they did and are not all shared. Its progress, end and cost would each tell
 * of the values.
 */
export const isKeptFrom = (viewer: { id: number; role: string }): SQL<boolean> => {
  if (viewer.role === 'admin') return sql<boolean>`false`
  return sql<boolean>`(${evaluations.startedBy} <> ${viewer.id} and (
    ${evaluations.status} <> 'completed' and ${evaluations.targets} @> '[{"mayUsePrivateValues": true}]'
    or ${hasKeptCell}
  ))`
}
