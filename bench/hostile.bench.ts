import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Chain, Prompt } from '@catenary/contracts'
import { startFakeProvider } from '../apps/server/src/testing/fake-providers/fake-provider.ts'
import { type RunningServer, startServer } from '../e2e/harness/server.ts'
import type { Attack, AttackReport } from './lib/attack.ts'
import { type Answer, ask, type Caller, newCaller, p99, repeat } from './lib/crowd.ts'
import { fillToQuotas } from './lib/hostile-account.ts'
import { startPostgres } from './lib/library.ts'
import { milliseconds, print } from './lib/measure.ts'
import { watchResident } from './lib/resident.ts'

// `npm run test:hostile`: what an account that is filled to every quota, and does all it can, costs the others. Two
// programs take turns: one without that account, one with it. Load, models and programs share the machine.
const ROUNDS = 3
const ROUND_MS = 20_000
const GUESTS = 100
const PEOPLE = 20
const MAX_MEMORY_MB = 1_000
const HOSTILE = 'mallory'
const PASSWORD = 'correct horse battery'
const ATTACK = join(import.meta.dirname, 'lib/attack.ts')
const run = promisify(execFile)

const provider = await startFakeProvider({ vendor: 'anthropic' })
provider.replyByDefault({ text: ['An ', 'answer.'] })

type Kind = 'embedded' | 'server'
type Figure = 'list' | 'one prompt' | 'sign-in' | 'run'
const FIGURES: Figure[] = ['list', 'one prompt', 'sign-in', 'run']

interface Stage {
  server: RunningServer
  people: (Caller & { username: string; prompt: Prompt })[]
  guests: Caller[]
  hostile: (Caller & { chain: Chain; prompt: Prompt }) | undefined
  times: Record<Figure, number[]>
  memory: ReturnType<typeof watchResident>
  close(): Promise<void>
}

const failures: string[] = []
/** The replies to the attack, by call and status. */
const answers: Record<string, number> = {}

/** Nothing may answer 500, to anyone. */
async function call(caller: Caller, what: Parameters<typeof ask>[1]): Promise<Answer> {
  try {
    const answer = await ask(caller, what)
    if (answer.status === 500) failures.push(`${what.path}: 500 ${answer.text.slice(0, 200)}`)
    return answer
  } catch (error) {
    failures.push(`${what.path}: ${error}`)
    return { status: 0, text: '', cookie: '', ms: Number.NaN }
  }
}

async function made<T>(caller: Caller, path: string, body: object): Promise<T> {
  const answer = await ask(caller, { method: 'POST', path, body })
  if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${answer.text}`)
  return JSON.parse(answer.text)
}

async function register(url: string, username: string): Promise<Caller> {
  const stranger = newCaller(url)
  const body = { username, email: `${username}@example.org`, password: PASSWORD }
  const { status, text, cookie } = await ask(stranger, { method: 'POST', path: '/api/register', body })
  if (status !== 201) throw new Error(`register: ${status} ${text}`)
  return { ...stranger, headers: { ...stranger.headers, cookie } }
}

const draft = { title: 'Letter', content: 'Write to $<name>.', categoryId: 1 }

async function startStage(kind: Kind, isFilled: boolean): Promise<Stage> {
  const postgres = kind === 'server' ? await startPostgres() : undefined
  const server = await startServer({
    env: {
      ...{ ANTHROPIC_API_KEY: 'bench', ANTHROPIC_BASE_URL: provider.url, LOG_LEVEL: 'fatal' },
      ...{ TRUST_PROXY: '1', SECRET_KEY: 'a key for benches, longer than 32 characters' },
      // With the default settings.
      QUOTAS: '{}',
      ...(postgres && { DATABASE_URL: postgres.url }),
    },
  })
  const { url, dataDir } = server
  const people: Stage['people'] = []
  for (let index = 0; index < PEOPLE; index += 1) {
    const username = `person${index}`
    const caller = await register(url, username)
    people.push({ ...caller, username, prompt: await made(caller, '/api/prompts', draft) })
  }
  const account = isFilled ? await register(url, HOSTILE) : undefined
  const hostile = account && {
    ...account,
    prompt: await made<Prompt>(account, '/api/prompts', draft),
    chain: await made<Chain>(account, '/api/chains', { name: 'Busy' }),
  }
  if (hostile) {
    const step = { content: 'Go on. {{input}}', model: 'claude', outputVariableName: 'out' }
    await made(hostile, `/api/chains/${hostile.chain.id}/steps`, step)
    await server.stop()
    await fillToQuotas({ username: HOSTILE, databaseUrl: postgres?.url, dataDir })
  }
  await server.restart()
  const pid = server.pid()
  return {
    ...{ server, people, hostile, memory: watchResident(pid) },
    guests: Array.from({ length: GUESTS }, () => newCaller(url)),
    times: { list: [], 'one prompt': [], 'sign-in': [], run: [] },
    close: async () => {
      await server.dispose()
      await postgres?.close()
    },
  }
}

/** What the others do, and how long it takes them. */
function othersOf({ guests, people, times, server }: Stage, until: number): Promise<void>[] {
  const timed = async (figure: Figure, asked: Promise<Answer>) => {
    const { status, ms, text } = await asked
    if (status === 200) times[figure].push(ms)
    else failures.push(`${figure}: ${status} ${text.slice(0, 200)}`)
  }
  const execute = { method: 'POST', path: '/api/execute-prompt' }
  return [
    ...guests.map((guest) =>
      repeat({
        until,
        restMs: 4_000,
        what: () => timed('list', call(guest, { path: '/api/prompts?limit=100' })),
      }),
    ),
    ...people.map((person) =>
      repeat({
        until,
        restMs: 500,
        what: async () => {
          const { id } = person.prompt
          await timed('one prompt', call(person, { path: `/api/prompts/${id}` }))
          await timed('run', call(person, { ...execute, body: { promptId: id, variables: { name: 'Ada' } } }))
        },
      }),
    ),
    ...people.map(({ username }) =>
      repeat({
        until,
        restMs: 4_000,
        what: () => {
          const body = { username, password: PASSWORD }
          return timed('sign-in', call(newCaller(server.url), { method: 'POST', path: '/api/login', body }))
        },
      }),
    ),
  ]
}

/** All that the account may do, from a process of its own. */
async function attacksOf({ hostile, server }: Stage, forMs: number): Promise<void> {
  if (hostile === undefined) return
  const attack: Attack = {
    ...{ url: server.url, cookie: hostile.headers.cookie ?? '', forMs },
    ...{ promptId: hostile.prompt.id, chainId: hostile.chain.id, categoryId: draft.categoryId },
  }
  const { stdout } = await run(process.execPath, [ATTACK, JSON.stringify(attack)], { maxBuffer: 1e9 })
  const report: AttackReport = JSON.parse(stdout)
  failures.push(...report.failures)
  for (const [answer, count] of Object.entries(report.answers)) {
    answers[answer] = (answers[answer] ?? 0) + count
  }
}

async function round(stage: Stage): Promise<void> {
  const until = performance.now() + ROUND_MS
  await Promise.all([...othersOf(stage, until), attacksOf(stage, ROUND_MS)])
  await delay(2_000)
}

for (const kind of ['embedded', 'server'] as const) {
  const clean = await startStage(kind, false)
  const filled = await startStage(kind, true)
  for (let index = 0; index < ROUNDS; index += 1) {
    for (const stage of [clean, filled]) await round(stage)
  }
  const on = kind === 'server' ? 'PostgreSQL' : 'embedded'
  for (const figure of FIGURES) {
    const [value, floor] = [p99(filled.times[figure]), p99(clean.times[figure])]
    print({
      figure: `beside a hostile account, ${on}: ${figure}, p99 of ${filled.times[figure].length}`,
      value: milliseconds(value),
      floor: `${milliseconds(floor)} without it`,
      ratio: (value / floor).toFixed(2),
      target: '≤ 3',
    })
  }
  const memory = filled.memory.stop()
  clean.memory.stop()
  print({
    figure: `beside a hostile account, ${on}: memory`,
    value: `${memory.toFixed(0)} MB`,
    target: `< ${MAX_MEMORY_MB} MB`,
  })
  if (memory >= MAX_MEMORY_MB) failures.push(`${on}: ${memory.toFixed(0)} MB of memory`)
  await clean.close()
  await filled.close()
}
await provider.close()
for (const failure of new Set(failures)) console.error(failure)
for (const [answer, count] of Object.entries(answers).toSorted()) console.log(`${count} × ${answer}`)
console.log(`${failures.length} calls failed`)
process.exit(failures.length === 0 ? 0 : 1)
