import { randomUUID } from 'node:crypto'
import type { Database } from '../../../db/executor.ts'
import type { Log } from '../../../platform/log/log.ts'
import type { LimitWait } from '../../../platform/models/model-types.ts'
import { sendNotification } from './run-signals.repository.ts'
import type { Piece } from './step-reader.ts'

const CHANNEL = 'catenary_runs'

/** A step under way but for its text; its dates are texts once they went through the database. */
type ToldStep = Pick<Piece, 'position' | 'retries' | 'startedAt'> & {
  waitsFor?: (Omit<LimitWait, 'until'> & { until: Date | string }) | undefined
}

/** What processes and the database tell each other about runs. Any of it may be lost: leases and polls make up for it. */
export type RunSignal =
  /** A run waits for a worker. */
  | { type: 'waiting' }
  /** Stop the run. The database also sends it when a run or its prompt is deleted. */
  | { type: 'stop'; id: number }
  /** The person's account is disabled. */
  | { type: 'disabled'; userId: number }
  /** Someone follows a run, whose text they have up to `from` in that try of that step. */
  | { type: 'watch'; id: number; position: number; retries: number; from: number }
  /** The state of a followed run has changed, of whose step under way this is told. */
  | { type: 'changed'; id: number; step?: ToldStep }
  /** A piece of a followed run's text. */
  | ({ type: 'text'; id: number } & Piece)

interface Listenable {
  listen(subscription: {
    channel: string
    onNotify: (payload: string) => void
    onReconnect?: () => void
  }): Promise<() => Promise<void>>
}

export interface RunSignalsOptions {
  db: Database
  database: Listenable
  log: Log
  /** No other process can be on the database. */
  alone: boolean
}

export type RunSignals = ReturnType<typeof createRunSignals>

/** Notifies the other processes of this database; listens to them and to the database itself. */
export function createRunSignals({ db, database, log, alone }: RunSignalsOptions) {
  const self = randomUUID()
  const handlers = new Set<(signal: RunSignal) => void>()
  let unlisten: (() => Promise<void>) | undefined

  function onNotify(payload: string): void {
    const { sender, ...signal } = JSON.parse(payload) as RunSignal & { sender?: string }
    if (sender !== self) for (const handle of handlers) handle(signal)
  }

  return {
    alone,

    subscribe(handle: (signal: RunSignal) => void): void {
      handlers.add(handle)
    },

    async send(signal: RunSignal): Promise<void> {
      if (alone) return
      const payload = JSON.stringify({ sender: self, ...signal })
      await sendNotification(db, { channel: CHANNEL, payload }).catch((error: unknown) =>
        log.warn({ err: error, type: signal.type }, 'other processes could not be told of a run'),
      )
    },

    async start({ onReconnect }: { onReconnect: () => void }): Promise<void> {
      unlisten = await database.listen({ channel: CHANNEL, onNotify, onReconnect })
    },

    async close(): Promise<void> {
      await unlisten?.()
    },
  }
}
