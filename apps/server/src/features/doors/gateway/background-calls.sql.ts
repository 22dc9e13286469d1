import { and, eq, sql } from 'drizzle-orm'
import { runs } from '../../../database/schema/index.ts'
import type { Executor } from '../../../database/statements/executor.ts'

const KEPT_DAYS = 30

interface Wanted {
  id: number
  tokenId: number
}

const isFetched = ({ id, tokenId }: Wanted) =>
  and(
    eq(runs.id, id),
    eq(runs.apiTokenId, tokenId),
    sql`${runs.apiCall} ? 'background'`,
    sql`${runs.executedAt} > now() - make_interval(days => ${KEPT_DAYS})`,
    eq(runs.textsDeleted, false),
  )

export async function findOptionalBackgroundCall(db: Executor, wanted: Wanted) {
  const { id, chainId, chainLabel, status, attempt, apiCall, executedAt, finishedAt } = runs
  const [found] = await db
    .select({ id, chainId, chainLabel, status, attempt, apiCall, executedAt, finishedAt })
    .from(runs)
    .where(isFetched(wanted))
  return found
}

export type BackgroundCallRow = NonNullable<Awaited<ReturnType<typeof findOptionalBackgroundCall>>>

/** The run stays; false where nothing that has ended is to be fetched. */
export async function forgetBackgroundCall(db: Executor, wanted: Wanted): Promise<boolean> {
  const { rowCount } = await db
    .update(runs)
    .set({ apiCall: sql`${runs.apiCall} - 'background'` })
    .where(and(isFetched(wanted), sql`${runs.status} <> 'running'`))
  return rowCount === 1
}

interface Taken {
  inputTokens: number
  outputTokens: number
  costNanos: number
  error: string | null
  errorCode: string | null
}

/** What the steps of a run that has asked people took and nobody counted yet; undefined for any other run. */
export async function takeUncounted(db: Executor, executionId: number): Promise<Taken | undefined> {
  const { rows } = await db.execute<Taken & Record<string, unknown>>(sql`
    with ended as (
      select id, status, error, error_code, coalesce((api_call ->> 'counted')::integer, 0) as counted from executions
      where id = ${executionId} and api_call is not null and exists (select from asks where execution_id = executions.id)
      for update
    ), steps as (
      select s.* from execution_steps s join ended on s.execution_id = ended.id
      where s.position >= ended.counted and s.status = 'completed'
    ), noted as (
      update executions set api_call = jsonb_set(api_call, '{counted}',
        to_jsonb(greatest(ended.counted, (select max(steps.position) + 1 from steps))))
      from ended where executions.id = ended.id
    )
    select coalesce(sum(input_tokens), 0)::integer as "inputTokens", coalesce(sum(output_tokens), 0)::integer as "outputTokens",
      coalesce(sum(cost_nanos), 0)::float8 as "costNanos",
      (select error from ended where status = 'failed') as error,
      (select error_code from ended where status = 'failed') as "errorCode"
    from steps where exists (select from ended) having exists (select from ended)`)
  return rows[0]
}
