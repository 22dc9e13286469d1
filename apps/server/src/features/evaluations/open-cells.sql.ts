import { type SQL, sql } from 'drizzle-orm'
import { evaluationCells, evaluations, runs } from '../../database/schema/index.ts'
import { isOpenRun } from '../../database/statements/open-runs.ts'

const isOwn = (viewerId: number): SQL => sql`(
  ${runs.userId} = ${viewerId}
  or ${runs.id} is null and ${evaluations.startedBy} = ${viewerId} and ${evaluationCells.reusedFrom} is null
)`

/** One of the answers that the same judge compared is private: the choice would reveal something about that one. */
const isComparedWithPrivate = sql`(
  ${evaluationCells.grade} @> '{"results": [{"type": "select-best"}]}' and exists (
    select from ${evaluationCells} as other
    where other.evaluation_id = ${evaluationCells.evaluationId}
      and other.case_position = ${evaluationCells.casePosition}
      and not exists (
        select from ${runs} where ${runs.id} = other.execution_id and ${isOpenRun}
      )
  )
)`

/** Whether the viewer gets pass, score and reason of a cell, whose evaluation and, where it is there, run are joined (D59). */
export const isOpenCell = (viewerId: number): SQL<boolean> => sql<boolean>`(
  coalesce(${isOwn(viewerId)}, false) or coalesce(${isOpenRun}, false) and not ${isComparedWithPrivate}
)`
