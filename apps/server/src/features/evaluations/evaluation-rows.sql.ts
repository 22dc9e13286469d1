import { and, eq, type SQL, sql } from 'drizzle-orm'
import { evaluations } from '../../database/schema/index.ts'

export interface TestedRecord {
  kind: 'prompt' | 'chain'
  id: number
}

export const isOfRecord = ({ kind, id }: TestedRecord): SQL =>
  eq(kind === 'prompt' ? evaluations.promptId : evaluations.chainId, id)

export interface ClaimedEvaluation {
  id: number
  attempt: number
}

export const isClaimedAs = ({ id, attempt }: ClaimedEvaluation): SQL | undefined =>
  and(eq(evaluations.id, id), eq(evaluations.attempt, attempt))

/** What cells cost; what is reused counts in the evaluation that ran it. */
export const spent = sql`coalesce(sum(coalesce(cost_nanos, 0) + coalesce(judge_cost_nanos, 0)) filter (where reused_from is null), 0)`
