import type { BenchDatabase } from './library.ts'

/** Inserts finished runs of a prompt, by the first account, with texts of typical length. */
export async function fillRuns({
  database,
  promptId,
  count,
}: Pick<BenchDatabase, 'database'> & { promptId: number; count: number }): Promise<void> {
  const client = await database.pool.connect()
  // Foreign keys to rows that are known to be there need not be looked up a million times.
  await client.query('set session_replication_role = replica')
  await client.query(`
    with made as (
      insert into executions (kind, user_id, prompt_id, status, output, finished_at)
      select 'prompt', (select min(id) from users), ${promptId}, 'completed', repeat('An answer. ', 60), now()
      from generate_series(1, ${count}) returning id
    )
    insert into execution_steps (execution_id, position, status, title, model, prompt_id, prompt_version,
      input_content, ai_response, input_tokens, output_tokens, duration_ms)
    select id, 0, 'completed', 'Prompt', 'claude', ${promptId}, 1,
      repeat('What was asked. ', 40), repeat('An answer. ', 60), 150, 120, 900 from made`)
  client.release(true)
}
