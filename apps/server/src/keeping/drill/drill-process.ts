import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type BackupDrill, type DrillStage, drillStage } from '@catenary/contracts'
import * as z from 'zod'
import { endFirst } from '../../platform/bounded/first-to-end.ts'
import { machineEnvironment } from '../../platform/settings/settings.ts'

const PROGRAM = new URL('../../main.ts', import.meta.url)
const LIMIT_MS = 1_800_000
const MEMORY_MB = 1_024
/** In characters, of each output; more is an error of ours. */
const SAID_MAX = 65_536
/** In characters, of the end of what a failure wrote. */
const LOG_MAX = 8_000

const drillLine = z.union([
  z.object({ stage: drillStage, rows: z.int().optional() }),
  z.object({ done: z.literal(true) }),
  z.object({ problem: z.string() }),
])
export type DrillLine = z.infer<typeof drillLine>

interface DrillOptions {
  program?: URL
  limitMs?: number
  memoryMb?: number
}

interface WantedDrill extends DrillOptions {
  file: string
  directory: string
  secretKey: string
  secretKeyAlso?: string | undefined
  now: () => Date
  signal: AbortSignal
}

/**
 * Restores a copy on trial, in a process of its own with bounded time and memory that knows the key and nothing else
 * of the settings. Throws only where the signal aborts.
 */
export async function drillCopy({ directory, signal, now, ...wanted }: WantedDrill): Promise<BackupDrill> {
  const start = performance.now()
  rmSync(directory, { recursive: true, force: true })
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  try {
    const ended = await runDrill({ directory, signal, ...wanted })
    signal.throwIfAborted()
    return toDrill({ ...ended, at: now(), ms: Math.round(performance.now() - start) })
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

type RunDrill = Omit<WantedDrill, 'now'>

async function runDrill({
  program = PROGRAM,
  limitMs = LIMIT_MS,
  memoryMb = MEMORY_MB,
  file,
  directory,
  secretKey,
  secretKeyAlso,
  signal,
}: RunDrill): Promise<Pick<Ended, 'lines' | 'problem' | 'said'>> {
  const args = [`--max-old-space-size=${memoryMb}`, fileURLToPath(program), 'drill', file]
  const child = spawn(process.execPath, args, {
    cwd: directory,
    env: {
      ...machineEnvironment(),
      DATA_DIR: directory,
      SECRET_KEY: secretKey,
      SECRET_KEY_ALSO: secretKeyAlso,
    },
    // It notices by this channel that the program is gone.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  endFirst(child)
  let isLate = false
  const kill = () => child.kill('SIGKILL')
  const timer = setTimeout(() => {
    isLate = true
    kill()
  }, limitMs)
  signal.addEventListener('abort', kill, { once: true })
  if (signal.aborted) kill()
  const said = { out: '', err: '' }
  const collect = (stream: 'out' | 'err') => (chunk: Buffer) => {
    said[stream] = (said[stream] + chunk.toString()).slice(-SAID_MAX)
  }
  child.stdout?.on('data', collect('out'))
  child.stderr?.on('data', collect('err'))
  try {
    const [code] = await once(child, 'close')
    const problem = isLate
      ? `It took more than ${describeMs(limitMs)} and was ended`
      : explainExit({ code, err: said.err, memoryMb })
    return { lines: parseLines(said.out), problem, said: said.err }
  } catch (error) {
    return { lines: [], problem: `Its process did not start: ${String(error)}`, said: '' }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', kill)
  }
}

const MINUTE_MS = 60_000
const describeMs = (ms: number) =>
  ms < MINUTE_MS ? `${Math.round(ms / 1_000)} s` : `${Math.round(ms / MINUTE_MS)} minutes`

function explainExit({ code, err, memoryMb }: { code: number | null; err: string; memoryMb: number }) {
  if (code === 0) return null
  if (/out of memory|OOM/i.test(err)) {
    return `It took more than ${memoryMb.toLocaleString('en')} MB of memory and was ended`
  }
  const last = err.trim().split('\n').at(-1) ?? ''
  return code === null ? 'Its process was killed' : `Its process failed: ${last || `exit code ${code}`}`
}

/** Other lines are none of ours. */
function parseLines(out: string): DrillLine[] {
  return out.split('\n').flatMap((line) => {
    if (!line.startsWith('{')) return []
    try {
      return drillLine.safeParse(JSON.parse(line)).data ?? []
    } catch {
      return []
    }
  })
}

const RESTORE: readonly DrillStage['name'][] = ['opened', 'migrated', 'counted']

interface Ended {
  lines: DrillLine[]
  problem: string | null
  said: string
  at: Date
  ms: number
}

function toDrill({ lines, problem, said, at, ms }: Ended): BackupDrill {
  const passed = lines.flatMap((line) => ('stage' in line ? line : []))
  const stages = passed.map(({ stage }) => stage)
  const told = lines.flatMap((line) => ('problem' in line ? line.problem : []))[0]
  const isDone = lines.some((line) => 'done' in line)
  const why = told ?? problem ?? (isDone ? null : 'It ended before it finished')
  const restoring = stages.filter(({ name }) => RESTORE.includes(name))
  return {
    state: why === null ? 'proven' : 'failed',
    at: at.toISOString(),
    ms,
    restoreMs:
      restoring.length === RESTORE.length ? restoring.reduce((sum, stage) => sum + stage.ms, 0) : null,
    rows: passed.find(({ rows }) => rows !== undefined)?.rows ?? null,
    stages,
    problem: why,
    log: why === null ? null : said.trim().slice(-LOG_MAX) || null,
  }
}
