import type { Prompt } from '@catenary/contracts'
import { startFakeProvider } from '../apps/server/src/testing/fake-providers/fake-provider.ts'
import { createApi } from '../e2e/harness/api.ts'
import { startServer } from '../e2e/harness/server.ts'
import { baselineProgram } from './lib/baseline.ts'
import { startPostgres } from './lib/library.ts'
import { type Contender, call, newAgent, ratesOf } from './lib/load.ts'
import { interleave, median, milliseconds, print } from './lib/measure.ts'

const WARMUP = 100
const ROUNDS = 300
const CALLERS = 32
const ANSWER = Array.from({ length: 20 }, (_, index) => `piece ${index} `)
const MARKS = { mark: 'piece 0', last: 'piece 19' }
const TARGETS = { first: '≤ +1.2 ms', whole: '≤ +2.5 ms', rate: '≥ 1,000/s' }

// Recorded, streamed runs of a prompt against the same call made directly; the fake provider is in this process for both.
const provider = await startFakeProvider({ vendor: 'anthropic' })
provider.replyByDefault({ text: ANSWER })

interface Program extends Contender {
  close: () => Promise<void>
}

const direct: Contender = {
  agent: newAgent(),
  url: `${provider.url}/v1/messages`,
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
  const contender: Program = {
    agent: newAgent(),
    url: `${server.url}/api/execute-prompt`,
    headers: { accept: 'text/event-stream', cookie: cookies.join('; '), origin: server.url },
    body: JSON.stringify({ promptId: prompt.id, variables: { topic: 'bridges' } }),
    close: async () => {
      await server.dispose()
      await postgres?.close()
    },
  }
  return contender
}

const program = baselineProgram()
for (const kind of ['embedded', 'server'] as const) {
  const on = kind === 'embedded' ? 'embedded' : 'PostgreSQL'
  const programs: Record<string, Program> = { now: await startContender({ kind }) }
  if (program !== undefined) programs.baseline = await startContender({ kind, program })
  const contenders: Record<string, Contender> = { direct, ...programs }
  const firsts: Record<string, number[]> = {}
  const wholes = await interleave({
    warmup: WARMUP,
    rounds: ROUNDS,
    contenders: Object.fromEntries(
      Object.entries(contenders).map(([name, contender]) => [
        name,
        async () => {
          const { first, whole } = await call(contender, MARKS)
          firsts[name] = [...(firsts[name] ?? []), first]
          return whole
        },
      ]),
    ),
  })
  const perSecond = await ratesOf({
    contenders,
    callers: CALLERS,
    ask: (contender) => call(contender, MARKS),
  })
  for (const name of Object.keys(programs)) {
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
  for (const { agent, close } of Object.values(programs)) {
    agent.destroy()
    await close()
  }
}
direct.agent.destroy()
await provider.close()
