import type { Prompt } from '@catenary/contracts'
import { startFakeProvider } from '../apps/server/src/testing/fake-providers/fake-provider.ts'
import { baselineProgram } from './lib/baseline.ts'
import { type Contender, call, newAgent, ratesOf } from './lib/load.ts'
import { interleave, median, milliseconds, print } from './lib/measure.ts'
import { DATABASES, type DatabaseKind, runsOf, startProgram } from './lib/start-program.ts'

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

async function startContender(started: { kind: DatabaseKind; program?: string }): Promise<Program> {
  const benched = await startProgram({ ...started, provider })
  const { api, cookie } = await benched.signUp('bench')
  const draft = { title: 'Bench', content: 'Say something about $<topic>.', categoryId: 1 }
  const { id: promptId } = await api.post<Prompt>('/api/prompts', draft)
  const runs = runsOf(benched, { cookie, promptId, variables: { topic: 'bridges' } })
  return { ...runs, close: benched.close }
}

const program = baselineProgram()
for (const kind of ['embedded', 'server'] as const) {
  const on = DATABASES[kind]
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
