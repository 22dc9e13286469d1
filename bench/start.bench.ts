import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../apps/server/src/testing/free-port.ts'
import { launchProgram } from '../e2e/harness/server.ts'
import { baselineProgram } from './lib/baseline.ts'
import { median, milliseconds, print } from './lib/measure.ts'
import { watchResident } from './lib/resident.ts'

const ROUNDS = { first: 3, warm: 5 }
const IDLE_MS = 3_000
const POLL_MS = 5
const TARGETS = { warmMs: '≤ 2000 ms', idle: '≤ 320 MB, ≤ 1.3 × floor', peak: '≤ 800 MB' }

interface Start {
  ms: number
  idle: number
  peak: number
}

interface Contender {
  program: string | undefined
  dataDir: string
  first: Start[]
  warm: Start[]
}

const directory = await mkdtemp(join(tmpdir(), 'catenary-bench-'))
const contender = (name: string, program?: string): Contender => ({
  program,
  dataDir: join(directory, name),
  first: [],
  warm: [],
})
const now = contender('now')
const floor = contender('floor', join(import.meta.dirname, 'lib/empty-program.ts'))
const baseline = contender('baseline', baselineProgram())
const contenders = [now, floor, ...(baseline.program === undefined ? [] : [baseline])]

/** From the start of the process to the first 200 of a page that needs the database; then its memory when it has nothing to do. */
async function start({ program, dataDir }: Contender): Promise<Start> {
  const port = await freePort()
  const began = performance.now()
  const env = { PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: 'warn' }
  const child = launchProgram({ env, cwd: dataDir, program })
  const resident = watchResident(child.pid ?? 0)
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (said += String(chunk)))
  const url = `http://127.0.0.1:${port}/api/categories`
  while (
    !(await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`It did not start.\n${said}`)
    await sleep(POLL_MS)
  }
  const ms = performance.now() - began
  await sleep(IDLE_MS)
  const idle = resident.now()
  const peak = resident.stop()
  child.kill('SIGTERM')
  await once(child, 'exit')
  return { ms, idle, peak }
}

for (let round = 0; round < ROUNDS.first; round += 1) {
  for (const each of contenders) {
    await rm(each.dataDir, { recursive: true, force: true })
    await mkdir(each.dataDir, { recursive: true })
    each.first.push(await start(each))
  }
}
for (let round = 0; round < ROUNDS.warm; round += 1) {
  for (const each of contenders) each.warm.push(await start(each))
}
await rm(directory, { recursive: true, force: true })

const megabytes = (value: number): string => `${value.toFixed(0)} MB`
const figures = [
  { key: 'ms', name: 'start to first 200', show: milliseconds, target: { first: '', warm: TARGETS.warmMs } },
  { key: 'idle', name: 'idle memory', show: megabytes, target: { first: TARGETS.idle, warm: TARGETS.idle } },
  { key: 'peak', name: 'peak memory', show: megabytes, target: { first: TARGETS.peak, warm: TARGETS.peak } },
] as const
for (const { key, name, show, target } of figures) {
  for (const kind of ['first', 'warm'] as const) {
    const middle = (each: Contender): number => median(each[kind].map((start) => start[key]))
    const figure = `${name}, ${kind === 'first' ? 'empty data directory' : 'warm'}`
    print({
      figure: `${figure}, median of ${ROUNDS[kind]}`,
      value: show(middle(now)),
      floor: show(middle(floor)),
      ratio: (middle(now) / middle(floor)).toFixed(2),
      target: target[kind],
    })
    if (baseline.program === undefined) continue
    print({ figure: `the same, commit ${process.env.BENCH_BASELINE}`, value: show(middle(baseline)) })
  }
}
