import { addAllToSums } from '../apps/server/src/features/spending/usage-sums.sql.ts'
import { timeOne } from './lib/http-get.ts'
import { type BenchDatabase, openBenchDatabase } from './lib/library.ts'
import { interleave, median, milliseconds, print } from './lib/measure.ts'
import { startCatenary } from './lib/start-catenary.ts'

const RUNS = { embedded: 100_000, server: 1_000_000 }
const NAMES = { embedded: 'embedded', server: 'PostgreSQL' }
const READS = { warmup: 2, rounds: 11 }
const WRITES = { warmup: 2, rounds: 15 }
const WRITES_A_TURN = 40

/** Runs of 90 days, 50 people, 500 prompts and five models; one in forty failed. */
const fill = (count: number) => `
  insert into usage_calls
    (at, user_id, prompt_id, model, outcome, reason, input_tokens, output_tokens, cost_nanos, duration_ms, first_text_ms)
  select now() - (i::bigint * 7919 % ${count})::double precision / ${count} * interval '90 days', 1 + i % 50, 1 + i % 500,
    'model-' || i % 5, (case when i % 40 = 0 then 'failed' else 'completed' end)::execution_status,
    case when i % 40 = 0 then 'model_unavailable' end, 200, 80, 1000000,
    400 * exp(random() * 3), 200 * exp(random() * 2)
  from generate_series(1, ${count}) as i`

/** The figures of everyone in 90 days, over HTTP. */
async function timeReports({ bench, kind }: { bench: BenchDatabase; kind: keyof typeof RUNS }) {
  const { url, cookie, close } = await startCatenary(bench)
  const { pool, db } = bench.database
  await pool.query(fill(RUNS[kind]))
  const start = performance.now()
  await addAllToSums(db, { signal: new AbortController().signal })
  const summed = (performance.now() - start) / RUNS[kind]
  await pool.query('vacuum analyze')
  const read = (scope: string, timeZone: string) => () =>
    timeOne({
      url: `${url}/api/usage?days=90&scope=${scope}&timeZone=${timeZone}`,
      headers: { cookie },
    })
  const { utc, kathmandu, mine } = await interleave({
    ...READS,
    contenders: {
      utc: read('everyone', 'UTC'),
      kathmandu: read('everyone', 'Asia/Kathmandu'),
      mine: read('mine', 'UTC'),
    },
  })
  const figure = `usage of everyone in 90 days, ${RUNS[kind].toLocaleString('en')} runs, ${NAMES[kind]}`
  print({ figure, value: milliseconds(median(utc)), target: '≤ 300 ms' })
  print({ figure: 'the same by the clock of Kathmandu', value: milliseconds(median(kathmandu)) })
  print({ figure: 'the same of one person', value: milliseconds(median(mine)) })
  print({ figure: 'a run added to the sums, later', value: milliseconds(summed) })
  await close()
}

/** What noting a run for usage adds to the statement that stores it. */
async function timeWrites({ bench, kind }: { bench: BenchDatabase; kind: keyof typeof RUNS }) {
  const { pool } = bench.database
  const store = () =>
    pool.query(`
      with run as (
        insert into executions (kind, user_id, status, output, finished_at)
        values ('prompt', (select min(id) from users), 'completed', repeat('An answer. ', 60), now()) returning id
      )
      insert into execution_steps (execution_id, position, status, model, model_id, ai_response, cost_nanos, duration_ms)
      select id, 0, 'completed', 'claude', 'model-1', repeat('An answer. ', 60), 1000, 900 from run`)
  const inTurn = (triggers: 'enable' | 'disable') => async () => {
    for (const table of ['executions', 'execution_steps']) {
      await pool.query(`alter table ${table} ${triggers} trigger note_usage_insert`)
    }
    await store()
    const start = performance.now()
    for (let turn = 0; turn < WRITES_A_TURN; turn += 1) await store()
    return (performance.now() - start) / WRITES_A_TURN
  }
  const { silent, noted } = await interleave({
    ...WRITES,
    contenders: { silent: inTurn('disable'), noted: inTurn('enable') },
  })
  print({
    figure: `a run stored and noted for usage, ${NAMES[kind]}`,
    value: milliseconds(median(noted)),
    floor: `${milliseconds(median(silent))} not noted`,
    ratio: (median(noted) / median(silent)).toFixed(2),
  })
}

for (const kind of ['embedded', 'server'] as const) {
  const bench = await openBenchDatabase(kind)
  await timeReports({ bench, kind })
  await timeWrites({ bench, kind })
  await bench.close()
}
// The embedded server's watcher would hold the process.
process.exit(0)
