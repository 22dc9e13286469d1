import type { Prompt } from '@catenary/contracts'
import { Pool } from 'undici'
import { startFakeProvider } from '../apps/server/src/testing/fake-providers/fake-provider.ts'
import { createApi } from '../e2e/harness/api.ts'
import { startServer } from '../e2e/harness/server.ts'
import { baselineProgram } from './lib/baseline.ts'
import { startPostgres } from './lib/library.ts'
import { interleave, median, milliseconds, print } from './lib/measure.ts'

const WARMUP = 100
const ROUNDS = 300
const CALLERS = 32
const BURSTS = 5
const BURST_MS = 2_000
const ANSWER = Array.from({ length: 20 }, (_, index) => `piece ${index} `)
const TARGETS = { first: '≤ +1.2 ms', whole: '≤ +2.5 ms', rate: '≥ 1,000/s' }

// Recorded, streamed runs of a prompt against the same call made directly; the fake provider is in this process for both.
const provider = await startFakeProvider({ vendor: 'anthropic' })
provider.replyByDefault({ text: ANSWER })

interface Contender {
  pool: Pool
  path: string
  headers: Record<string, string>
  body: string
  close?: () => Promise<void>
}

const direct: Contender = {
  pool: new Pool(provider.url, { connections: CALLERS }),
  path: '/v1/messages',
  headers: { 'x-api-key': 'bench', 'anthropic-version': '2023-06-01' },
  body: JSON.stringify({
    model: 'fake',
    max_tokens: 1000,
    stream: true,
    messages: [{ role: 'user', content: 'Say something about bridges.' }],
  }),
}

async function startContender({ kind, program }: { kind: 'embedded' | 'server'; program?: string }) {
  const postgres = kind === 'server' ? await startPostgres() : undefined
  const server = await startServer({
    ...(program === undefined ? {} : { program }),
    env: {
      ANTHROPIC_API_KEY: 'bench',
      ANTHROPIC_BASE_URL: provider.url,
      LOG_LEVEL: 'warn',
      RUNS_PER_MINUTE: '10000000',
      ...(postgres === undefined ? {} : { DATABASE_URL: postgres.url }),
    },
  })
  const api = createApi(server.url)
  const account = { username: 'bench', email: 'bench@example.org', password: 'bench bench bench' }
  await api.post('/api/register', account)
  const draft = { title: 'Bench', content: 'Say something about $<topic>.', categoryId: 1 }
  const prompt = await api.post<Prompt>('/api/prompts', draft)
  const cookies = api.cookies().map(({ name, value }) => `${name}=${value}`)
  const contender: Contender = {
    pool: new Pool(server.url, { connections: CALLERS }),
    path: '/api/execute-prompt',
    headers: { accept: 'text/event-stream', cookie: cookies.join('; '), origin: server.url },
    body: JSON.stringify({ promptId: prompt.id, variables: { topic: 'bridges' } }),
    close: async () => {
      await server.dispose()
      await postgres?.close()
    },
  }
  return contender
}

/** One call; the milliseconds until its first text and its end. */
async function call({ pool, path, headers, body }: Contender): Promise<{ first: number; whole: number }> {
  const start = performance.now()
  const reply = await pool.request({
    path,
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  })
  if (reply.statusCode !== 200) throw new Error(`${path}: ${reply.statusCode} ${await reply.body.text()}`)
  let first: number | undefined
  let text = ''
  for await (const chunk of reply.body) {
    text += String(chunk)
    if (first === undefined && text.includes('piece 0')) first = performance.now() - start
  }
  if (first === undefined || !text.includes('piece 19'))
    throw new Error(`an answer without its text: ${text}`)
  return { first, whole: performance.now() - start }
}

/** Calls a second of all callers together, as the median of bursts in turns. */
async function rates<Name extends string>(
  contenders: Record<Name, Contender>,
): Promise<Record<Name, number>> {
  const names = Object.keys(contenders) as Name[]
  const counted = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>
  for (let burst = 0; burst <= BURSTS; burst += 1) {
    for (const name of names) {
      let calls = 0
      const start = performance.now()
      const caller = async () => {
        while (performance.now() - start < BURST_MS) {
          await call(contenders[name])
          calls += 1
        }
      }
      await Promise.all(Array.from({ length: CALLERS }, caller))
      // The first burst warms up.
      if (burst > 0) counted[name].push((calls * 1_000) / (performance.now() - start))
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(counted[name])])) as Record<Name, number>
}

const program = baselineProgram()
for (const kind of ['embedded', 'server'] as const) {
  const on = kind === 'embedded' ? 'embedded' : 'PostgreSQL'
  const contenders: Record<string, Contender> = { direct, now: await startContender({ kind }) }
  if (program !== undefined) contenders.baseline = await startContender({ kind, program })
  const firsts: Record<string, number[]> = {}
  const wholes = await interleave({
    warmup: WARMUP,
    rounds: ROUNDS,
    contenders: Object.fromEntries(
      Object.entries(contenders).map(([name, contender]) => [
        name,
        async () => {
          const { first, whole } = await call(contender)
          firsts[name] = [...(firsts[name] ?? []), first]
          return whole
        },
      ]),
    ),
  })
  const perSecond = await rates(contenders)
  for (const name of Object.keys(contenders)) {
    if (name === 'direct') continue
    const what = `a recorded, streamed prompt run${name === 'baseline' ? ` (commit ${process.env.BENCH_BASELINE})` : ''}, ${on}`
    const compare = (times: Record<string, number[]>, skip = 0) => {
      const [floor, value] = ['direct', name].map((each) => median((times[each] ?? []).slice(skip)))
      return { floor: floor ?? Number.NaN, added: (value ?? Number.NaN) - (floor ?? Number.NaN) }
    }
    for (const [figure, { floor, added }, target] of [
      ['first text over a direct call, p50', compare(firsts, WARMUP), TARGETS.first],
      ['whole answer over a direct call, p50', compare(wholes), TARGETS.whole],
    ] as const) {
      print({
        figure: `${what}: ${figure}`,
        value: `+${milliseconds(added)}`,
        floor: milliseconds(floor),
        target,
      })
    }
    print({
      figure: `${what}: runs with ${CALLERS} callers`,
      value: `${Math.round(perSecond[name] ?? 0)}/s`,
      floor: `${Math.round(perSecond.direct ?? 0)}/s`,
      target: TARGETS.rate,
    })
  }
  for (const { pool, close } of Object.values(contenders)) {
    if (close === undefined) continue
    await pool.close()
    await close()
  }
}
await direct.pool.close()
await provider.close()
