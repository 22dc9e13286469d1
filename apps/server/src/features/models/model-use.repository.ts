import { sql } from 'drizzle-orm'
import type { Database, Executor } from '../../db/executor.ts'
import { modelSpending } from '../../db/schema/index.ts'

interface Spent {
  alias: string
  month: string
  calls: number
  nanos: number
}

/** Adds what calls cost to their models' months. */
export async function addSpending(executor: Executor, spent: readonly Spent[]): Promise<void> {
  // In one order, so that processes that add at once don't wait for each other in a circle.
  const rows = spent
    .toSorted((a, b) => (a.alias < b.alias ? -1 : 1))
    .map(({ alias, month, calls, nanos }) => ({ alias, month, calls, costNanos: nanos }))
  if (rows.length === 0) return
  await executor
    .insert(modelSpending)
    .values(rows)
    .onConflictDoUpdate({
      target: [modelSpending.alias, modelSpending.month],
      set: {
        calls: sql`${modelSpending.calls} + excluded.calls`,
        costNanos: sql`${modelSpending.costNanos} + excluded.cost_nanos`,
      },
    })
}

/** In nano-dollars, by alias: of the month, and of all months. */
export async function findSpending(
  executor: Executor,
  month: string,
): Promise<Map<string, { month: number; total: number }>> {
  const { rows } = await executor.execute<{ alias: string; month: number; total: number }>(sql`
    select alias, coalesce(sum(cost_nanos) filter (where month = ${month}), 0)::double precision as month,
      sum(cost_nanos)::double precision as total
    from ${modelSpending} group by alias`)
  return new Map(rows.map(({ alias, ...spent }) => [alias, spent]))
}

/** How much asks for a model, whoever's it is. */
export async function countUses(
  db: Database,
  alias: string,
): Promise<{ prompts: number; steps: number; schedules: number; evaluations: number }> {
  const named = sql`jsonb_build_array(${alias}::text)`
  const ofSettings = sql`settings::jsonb ->> 'model' = ${alias} or settings::jsonb ->> 'fallbackModel' = ${alias}
    or settings::jsonb -> 'moreFallbackModels' @> ${named}`
  const ofStep = sql`model = ${alias} or fallback_model = ${alias} or settings::jsonb -> 'moreFallbackModels' @> ${named}`
  const { rows } = await db.execute<{
    prompts: number
    steps: number
    schedules: number
    evaluations: number
  }>(sql`
    select (select count(*) from prompts where ${ofSettings})::integer as prompts,
      (select count(*) from chain_steps where ${ofStep})::integer as steps,
      (select count(*) from scheduled_runs where active and chain_id in (select chain_id from chain_steps where ${ofStep}))::integer as schedules,
      (select count(*) from evaluations where status = 'running'
        and (judge_model = ${alias} or targets @> jsonb_build_array(jsonb_build_object('model', ${alias}::text))))::integer as evaluations`)
  return rows[0] ?? { prompts: 0, steps: 0, schedules: 0, evaluations: 0 }
}
