import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'

const BEAT_MS = 5_000

interface ProcessState {
  id: string
  role: 'all' | 'web' | 'worker'
  version: string
  host: string
  runs: number
  jobs: number
  poolSize: number
}

export interface LiveProcess extends ProcessState {
  startedAt: Date
  seenAt: Date
  now: Date
  isLive: boolean
}

interface Others {
  all: number
  serving: number
}

interface Rows {
  beat(state: ProcessState): Promise<Others>
  remove(id: string): Promise<void>
  list(): Promise<LiveProcess[]>
}

interface ProcessesOptions extends Pick<ProcessState, 'role' | 'version' | 'poolSize'> {
  rows: Rows
  log: { warn(fields: object, message: string): void }
  /** No other process can be on the database: it says so at its start only, so that an idle database rests. */
  alone: boolean
}

interface Share {
  most: number
  processes: number
}

/** Follows a number in a sentence; nothing where one process has all. */
export const describeShare = ({ most, processes }: Share): string =>
  processes === 1 ? '' : `, ${most.toLocaleString('en')} in each of ${processes} processes`

type Sharing = 'all' | 'serving'

export type ShareOut = (limit: number, among?: Sharing) => Share

export function createProcesses({ rows, log, alone, ...about }: ProcessesOptions) {
  const own = { ...about, id: randomUUID(), host: hostname() }
  let counts = { runs: () => 0, jobs: () => 0 }
  let others: Others = { all: 0, serving: 0 }
  let timer: NodeJS.Timeout | undefined
  let beating: Promise<void> | undefined
  const stateNow = (): ProcessState => ({ ...own, runs: counts.runs(), jobs: counts.jobs() })

  function beat(): void {
    beating ??= rows
      .beat(stateNow())
      .then((found) => {
        others = found
      })
      .catch((error: unknown) => log.warn({ err: error }, 'this process could not tell that it is live'))
      .finally(() => {
        beating = undefined
      })
  }

  /** Divided by the live processes, as far as they are known here: at least 1. */
  const share: ShareOut = (limit, among = 'all') => {
    const isAmong = among === 'all' || own.role !== 'worker'
    const processes = Math.max(1, others[among] + Number(isAmong))
    return { most: Math.max(1, Math.floor(limit / processes)), processes }
  }

  return {
    countBy(given: typeof counts): void {
      counts = given
    },

    async start(): Promise<void> {
      others = await rows.beat(stateNow())
      if (!alone) timer = setInterval(beat, BEAT_MS).unref()
    },

    async stop(): Promise<void> {
      clearInterval(timer)
      await beating
      await rows.remove(own.id).catch(() => {})
    },

    /** Live ones first; of itself it knows what goes on now. */
    async list(): Promise<LiveProcess[]> {
      const found = await rows.list()
      return found.map((row) =>
        row.id === own.id ? { ...row, ...stateNow(), seenAt: row.now, isLive: true } : row,
      )
    },

    share,
  }
}
