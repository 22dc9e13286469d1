import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort, launchProgram } from '../e2e/harness/server.ts'
import { median, milliseconds, print } from './lib/measure.ts'

const WARM_STARTS = 5
const IDLE_MS = 3_000
const POLL_MS = 5

// From the start of the process to the first 200 of a page that needs the database; then its memory when it has nothing to do.
const dataDir = await mkdtemp(join(tmpdir(), 'catenary-bench-'))

async function start(): Promise<{ ms: number; residentMb: number }> {
  const port = await freePort()
  const began = performance.now()
  const child = launchProgram({
    env: { PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: 'warn' },
    cwd: dataDir,
  })
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
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '')
  const residentMb = Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN) / 1024
  child.kill('SIGTERM')
  await once(child, 'exit')
  return { ms, residentMb }
}

const cold = await start()
const warm = []
for (let round = 0; round < WARM_STARTS; round += 1) warm.push(await start())
await rm(dataDir, { recursive: true, force: true })

print({ figure: 'start to first 200, empty data directory', value: milliseconds(cold.ms) })
print({
  figure: `start to first 200, warm, median of ${WARM_STARTS}`,
  value: milliseconds(median(warm.map(({ ms }) => ms))),
  target: '≤ 2000 ms',
})
const idle = median(warm.map(({ residentMb }) => residentMb))
print({ figure: 'idle memory (resident)', value: `${idle.toFixed(0)} MB` })
