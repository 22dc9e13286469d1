import { CHAIN_RUNS_AT_ONCE, type User } from '@catenary/contracts'
import { buildApp } from '../apps/server/src/app.ts'
import { OWN_TEXTS_ONLY } from '../apps/server/src/features/records/records.ts'
import { startChainRun } from '../apps/server/src/features/runs/runs.ts'
import { createLog } from '../apps/server/src/platform/log/log.ts'
import type { ModelResult } from '../apps/server/src/platform/models/model-types.ts'
import { createModels } from '../apps/server/src/platform/models/models.ts'
import { readSettings } from '../apps/server/src/platform/settings/settings.ts'
import { openBenchDatabase } from './lib/library.ts'
import { interleave, median, milliseconds, print } from './lib/measure.ts'

/** Enough for the code of a step to be compiled, as in a program that has been running for a while. */
const WARMUP = 300
const ROUNDS = 200
const CALLERS = 8
/** Steps of a chain. */
const SHORT = 5
const LONG = 20
const CHAINS_A_CALLER = 40
/** About the length of a short answer. */
const ANSWER = 'An answer of some length. '.repeat(10)

/** What is kept of a step, as a plain row of the same table. */
const STEP_ROW = {
  status: 'completed',
  started_at: '',
  title: 'Step 1',
  model: 'openai',
  prompt_id: null,
  prompt_version: null,
  system_prompt: '',
  output_variable_name: 'out_1',
  input_content: `Go on: ${ANSWER}`,
  input_segments: JSON.stringify([{ start: 7, end: 7 + ANSWER.length, kind: 'output', name: 'out_0' }]),
  resolved: '{}',
  ai_response: ANSWER,
  retries: 0,
  duration_ms: 0,
  provider: 'openai',
  model_id: 'bench',
  input_tokens: 10,
  output_tokens: 60,
  cost_nanos: 0,
  first_token_ms: 0,
}

const result: ModelResult = {
  text: ANSWER,
  provider: 'openai',
  requestedAlias: 'openai',
  modelId: 'bench',
  inputTokens: 10,
  outputTokens: 60,
  finishReason: 'stop',
  firstTokenMs: 0,
  durationMs: 0,
  retries: 0,
  costNanos: 0,
  cachedTokens: 0,
  savedNanos: 0,
}

/** When a run's first model call came last: the model answers at once, so that only our own part is measured. */
let calledAt = 0
const log = createLog({ level: 'silent' })
const settings = {
  ...readSettings({}),
  chainRunsAtOnce: CHAIN_RUNS_AT_ONCE,
  secretKey: 'a secret key of a bench',
}
const models = {
  ...createModels({ settings: settings.models, log }),
  async *stream() {
    calledAt ||= performance.now()
    yield { type: 'delta' as const, text: ANSWER }
    yield { type: 'done' as const, ...result }
  },
  generate: async () => result,
}

async function measure(kind: 'embedded' | 'server'): Promise<void> {
  const bench = await openBenchDatabase(kind)
  const { database } = bench
  const { pool } = database
  const { rows } = await pool.query<User>(`
    insert into users (name, email, username, display_username) values ('b', 'b@example.org', 'b', 'b')
    returning id, username, email, role`)
  const [user] = rows
  if (user === undefined) throw new Error('no user')
  await pool.query(
    'create table floor (id serial primary key, run integer, position integer, input text, answer text)',
  )

  const app = await buildApp({ database, settings, models, log })
  await app.start()
  const chainOf = async (count: number): Promise<number> => {
    const { rows } = await pool.query<{ id: number }>(
      `insert into chains (owner_id, name, stops_without_value, stops_when_cut) values ($1, 'Bench', 'never', 'never')
      returning id`,
      [user.id],
    )
    const id = rows[0]?.id ?? 0
    await pool.query(
      `insert into chain_steps (chain_id, position, title, content, model, output_variable_name)
      select $1::integer, place, 'Step ' || place,
        case place when 0 then 'Say something about {{input}}.' else 'Go on: {{out_' || place - 1 || '}}' end,
        'openai', 'out_' || place
      from generate_series(0, $2::integer - 1) place`,
      [id, count],
    )
    return id
  }
  const start = (chainId: number) =>
    startChainRun(app.ctx, { user, allowed: OWN_TEXTS_ONLY, chainId, input: 'bridges' })
  const runChain = async (chainId: number): Promise<void> => {
    const { outcome } = await start(chainId)
    const { status } = await outcome
    if (status !== 'completed') throw new Error(`a run ${status}`)
  }
  const insertRows = async (count: number): Promise<void> => {
    const text = 'insert into floor (run, position, input, answer) values ($1, $2, $3, $4)'
    for (let position = 0; position < count; position += 1)
      await pool.query({ name: 'floor_row', text, values: [1, position, ANSWER, ANSWER] })
  }
  const [single, short, long] = [await chainOf(1), await chainOf(SHORT), await chainOf(LONG)]
  const { rows: runOfRows } = await pool.query<{ id: number }>(`
    insert into executions (kind, status, user_id, chain_id)
    values ('chain', 'completed', ${user.id}, ${short}) returning id`)
  const stepColumns = Object.keys(STEP_ROW)
  const insertStepRow = {
    name: 'step_row',
    text: `insert into execution_steps (execution_id, position, finished_at, ${stepColumns.join(', ')})
      values ($1, $2, now(), ${stepColumns.map((_, index) => `$${index + 3}`).join(', ')})`,
  }
  let position = 0
  const insertStepRows = async (count: number): Promise<void> => {
    const startedAt = new Date().toISOString()
    for (let index = 0; index < count; index += 1) {
      position += 1
      const values = [runOfRows[0]?.id, position, ...Object.values({ ...STEP_ROW, started_at: startedAt })]
      await pool.query({ ...insertStepRow, values })
    }
  }
  const timed = async (action: () => Promise<void>): Promise<number> => {
    const start = performance.now()
    await action()
    return performance.now() - start
  }

  const times = await interleave({
    warmup: WARMUP,
    rounds: ROUNDS,
    contenders: {
      rows: () => timed(() => insertRows(LONG)),
      stepRows: () => timed(() => insertStepRows(LONG)),
      short: () => timed(() => runChain(short)),
      long: () => timed(() => runChain(long)),
    },
  })
  const [shortChain, longChain] = [median(times.short), median(times.long)]
  const costs = {
    [`cost of a durable step in a chain of ${SHORT}, ${kind}`]: shortChain / SHORT,
    [`cost of a durable step in a chain of ${LONG}, ${kind}`]: longChain / LONG,
    [`what a further durable step adds, ${kind}`]: (longChain - shortChain) / (LONG - SHORT),
  }
  const floors = {
    'the same row alone': median(times.stepRows) / LONG,
    'a row of four values': median(times.rows) / LONG,
  }
  for (const [figure, value] of Object.entries(costs)) {
    for (const [name, floor] of Object.entries(floors)) {
      const row = { figure, value: milliseconds(value), floor: `${milliseconds(floor)} ${name}` }
      print({ ...row, ratio: (value / floor).toFixed(2), target: '≤ 1.5' })
    }
  }

  const together = (action: () => Promise<void>) =>
    timed(async () => {
      const caller = async () => {
        for (let count = 0; count < CHAINS_A_CALLER; count += 1) await action()
      }
      await Promise.all(Array.from({ length: CALLERS }, caller))
    })
  const rates = await interleave({
    warmup: 1,
    rounds: 7,
    contenders: {
      rows: () => together(() => insertRows(SHORT)),
      chain: () => together(() => runChain(short)),
    },
  })
  const perSecond = (times: number[]) => (CALLERS * CHAINS_A_CALLER * 1000) / median(times)
  print({
    figure: `chains of ${SHORT} steps a second, ${CALLERS} callers, ${kind}`,
    value: `${perSecond(rates.chain).toFixed(0)}/s`,
    floor: `${perSecond(rates.rows).toFixed(0)}/s ${SHORT} plain rows`,
    ratio: (perSecond(rates.chain) / perSecond(rates.rows)).toFixed(2),
    target: '≥ 576/s',
  })

  const calls: number[] = []
  const recorded: number[] = []
  for (let round = 0; round < WARMUP + ROUNDS; round += 1) {
    calledAt = 0
    const begun = performance.now()
    const { outcome } = await start(single)
    const written = performance.now() - begun
    if (round >= WARMUP) {
      calls.push(calledAt - begun)
      recorded.push(written)
    }
    await outcome
  }
  print({
    figure: `from the start of a run to its first model call, ${kind}`,
    value: milliseconds(median(calls)),
    floor: `${milliseconds(median(recorded))} until it is recorded`,
    ratio: (median(calls) / median(recorded)).toFixed(2),
    target: 'before the write',
  })
  await app.close()
  await bench.close()
}

for (const kind of ['embedded', 'server'] as const) await measure(kind)
process.exit(0)
