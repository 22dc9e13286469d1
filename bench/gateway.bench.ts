import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { startFakeProvider } from '../apps/server/src/testing/fake-providers/fake-provider.ts'
import { freePort } from '../apps/server/src/testing/free-port.ts'
import { baselineBenches } from './lib/baseline.ts'
import { type Contender, call, newAgent, ratesOf } from './lib/load.ts'
import { interleave, median, milliseconds, print } from './lib/measure.ts'

const WARMUP = 100
const ROUNDS = 300
const CALLERS = 32
const HANG_UPS = 20
const OWN = join(import.meta.dirname, 'lib')
const PIECES = Array.from({ length: 20 }, (_, index) => `piece ${index} `)
/** `npm install --prefix .peers @portkey-ai/gateway@1.15.2` puts it there. */
const PORTKEY = join(import.meta.dirname, '../.peers/node_modules/@portkey-ai/gateway/build/start-server.js')

// The compatible API over its real routes: a chain of one step, its token checked, its run recorded before it is
// answered. Load and fake provider are in this process, each contender in one of its own.
const provider = await startFakeProvider({ vendor: 'openai' })
provider.replyByDefault({ text: PIECES })
const children: ChildProcess[] = []

interface Started {
  url: string
  token?: string
}

process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})
process.once('SIGTERM', () => process.exit(143))

async function startChild(file: string, args: string[] = [], folder = OWN): Promise<Started> {
  const { PATH = '', HOME = '' } = process.env
  const env = { PATH, HOME, OPENAI_API_KEY: 'bench', OPENAI_BASE_URL: provider.url, OPENAI_MODEL: 'fake' }
  const child = spawn(process.execPath, [join(folder, file), ...args], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  const died = once(child, 'exit').then(() => {
    throw new Error(`${file} ${args.join(' ')} ended before it served`)
  })
  const [line] = (await Promise.race([once(child.stdout, 'data'), died])) as [Buffer]
  return JSON.parse(line.toString()) as Started
}

async function startPortkey(): Promise<Started | undefined> {
  if (!existsSync(PORTKEY)) return undefined
  const port = await freePort()
  const { PATH = '', HOME = '' } = process.env
  const env = { PATH, HOME, NODE_ENV: 'production', TRUSTED_CUSTOM_HOSTS: '127.0.0.1,localhost' }
  children.push(spawn(process.execPath, [PORTKEY, `--port=${port}`, '--headless'], { env, stdio: 'ignore' }))
  const url = `http://127.0.0.1:${port}`
  for (let tries = 0; tries < 200; tries += 1) {
    if (await fetch(url).catch(() => undefined)) return { url }
    await delay(50)
  }
  throw new Error('Portkey did not start')
}

const portkey = await startPortkey()
if (portkey === undefined)
  console.log('Portkey is absent: npm install --prefix .peers @portkey-ai/gateway@1.15.2')
const started: Record<string, Started> = {
  proxy: await startChild('bare-proxy.ts'),
  ...(portkey === undefined ? {} : { portkey }),
}
/** The gateway on each database, as it is called in the figures; that of another commit beside it. */
const gateways: Record<string, string> = {}
for (const [kind, on] of Object.entries({ embedded: 'embedded', server: 'PostgreSQL' })) {
  gateways[kind] = on
  started[kind] = await startChild('gateway.ts', [kind])
  const before = baselineBenches()
  if (before === undefined) continue
  gateways[`${kind} before`] = `${on} (commit ${process.env.BENCH_BASELINE})`
  started[`${kind} before`] = await startChild('gateway.ts', [kind], before)
}

function contendersFor(stream: boolean): Record<string, Contender> {
  const body = JSON.stringify({ model: 'fake', stream, messages: [{ role: 'user', content: 'Hello' }] })
  return Object.fromEntries(
    Object.entries(started).map(([name, { url, token = 'bench' }]) => {
      const headers: Record<string, string> = { authorization: `Bearer ${token}` }
      if (name === 'portkey')
        Object.assign(headers, { 'x-portkey-provider': 'openai', 'x-portkey-custom-host': provider.url })
      return [name, { url: `${url}/v1/chat/completions`, headers, body, agent: newAgent() }]
    }),
  )
}

for (const stream of [false, true]) {
  const marks = { mark: 'piece 0', last: 'piece 19' }
  const contenders = contendersFor(stream)
  const { portkey: peer } = contenders
  if (peer && (await call(peer, marks).catch(() => undefined)) === undefined) {
    delete contenders.portkey
    console.log(`Portkey answers no ${stream ? 'streamed ' : ''}call under this Node`)
  }
  const firsts: Record<string, number[]> = {}
  const waits: Record<string, number[]> = {}
  const wholes = await interleave({
    warmup: WARMUP,
    rounds: ROUNDS,
    contenders: Object.fromEntries(
      Object.entries(contenders).map(([name, contender]) => [
        name,
        async () => {
          const { first, text, whole } = await call(contender, marks)
          firsts[name] = [...(firsts[name] ?? []), first]
          waits[name] = [...(waits[name] ?? []), whole - text]
          return whole
        },
      ]),
    ),
  })
  const rates = await ratesOf({ contenders, callers: CALLERS, ask: (contender) => call(contender, marks) })
  const what = stream ? 'streamed' : 'in one piece'
  const firstOf = (name: string) => median((firsts[name] ?? []).slice(WARMUP))
  const waitOf = (name: string) => median((waits[name] ?? []).slice(WARMUP))
  const wholeOf = (name: string) => median(wholes[name] ?? [])
  for (const [kind, on] of Object.entries(gateways)) {
    const figure = `the gateway, ${what}, ${on}`
    // Recorded right after, an answer would end with its last text; so it ends when the run is stored.
    if (stream) {
      print({
        figure: `${figure}: from the last text to the recorded end, one caller`,
        value: milliseconds(waitOf(kind)),
        floor: `${milliseconds(waitOf('proxy'))} proxy`,
      })
    }
    for (const peer of Object.keys(contenders).filter((name) => name === 'proxy' || name === 'portkey')) {
      print({
        figure: `${figure}: requests with ${CALLERS} callers`,
        value: `${Math.round(rates[kind] ?? 0)}/s`,
        floor: `${Math.round(rates[peer] ?? 0)}/s ${peer}`,
        ratio: ((rates[kind] ?? 0) / (rates[peer] ?? 1)).toFixed(2),
        ...(peer === 'portkey' ? { target: '≥ 2' } : {}),
      })
      const [value, floor] = stream ? [firstOf(kind), firstOf(peer)] : [wholeOf(kind), wholeOf(peer)]
      print({
        figure: `${figure}: ${stream ? 'first text' : 'whole answer'}, one caller`,
        value: milliseconds(value),
        floor: `${milliseconds(floor)} ${peer}`,
        ratio: (value / floor).toFixed(2),
      })
    }
  }
  for (const { agent } of Object.values(contenders)) agent.destroy()
}

/** From a caller's hang-up in the middle of an answer to the end of its model's call. */
async function untilAborted({ url, token }: Started): Promise<number> {
  const gone = Promise.withResolvers<number>()
  provider.reply({ text: ['begun '], fault: 'silence' })
  const caller = new AbortController()
  const reply = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ model: 'fake', stream: true, messages: [{ role: 'user', content: 'Hello' }] }),
    signal: caller.signal,
  })
  await reply.body?.getReader().read()
  const start = performance.now()
  caller.abort()
  const look = setInterval(() => {
    if (provider.journal.at(-1)?.state !== 'closed-by-client') return
    clearInterval(look)
    gone.resolve(performance.now() - start)
  }, 1)
  return gone.promise
}

for (const [name, on] of Object.entries(gateways)) {
  const process = started[name] as Started
  const times: number[] = []
  for (let round = 0; round < HANG_UPS; round += 1) times.push(await untilAborted(process))
  print({
    figure: `the gateway, ${on}: from a caller's hang-up to the end of the model's call`,
    value: milliseconds(median(times)),
  })
}

for (const child of children) {
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await Promise.race([ended, delay(5_000)])
}
await provider.close()
