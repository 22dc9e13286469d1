import { randomUUID } from 'node:crypto'
import type { Database } from '../../../../database/statements/executor.ts'
import { type Context, onePerApp } from '../../../../platform/context.ts'
import { sendNotification } from './run-signals.sql.ts'

const CHANNEL = 'catenary_runs'

/**
 * A run that a process follows, and what it has of it: position and try of the step, how much of its text (-1: it
 * knows no step), and whether that step waits for its provider.
 */
export type HaveText = [id: number, position: number, retries: number, from: number, waits: boolean]

/** What processes and the database tell each other about runs. Any of it may be lost: leases and polls make up for it. */
export type RunSignal =
  | { type: 'waiting' }
  /** Stop the run. The database also sends it when a run or its prompt is deleted. */
  | { type: 'stop'; id: number }
  | { type: 'disabled'; userId: number }
  | { type: 'follow'; runs: HaveText[]; bus?: string | undefined }

type Handler = (signal: RunSignal, sender: string) => void

export const runSignals = onePerApp(createRunSignals)

function createRunSignals({ db, database, log, metrics }: Context<Database>) {
  const alone = database.kind === 'embedded'
  const self = randomUUID()
  const handlers = new Set<Handler>()
  const reconnectHandlers = new Set<() => void>()
  let unlisten: (() => Promise<void>) | undefined

  function onNotify(payload: string): void {
    const { sender = '', ...signal } = JSON.parse(payload) as RunSignal & { sender?: string }
    if (sender !== self) for (const handle of handlers) handle(signal, sender)
  }

  return {
    /** No other process can be on the database. */
    alone,
    self,

    subscribe(handle: Handler): void {
      handlers.add(handle)
    },

    /** Calls back where signals may have been missed. */
    onReconnect(handle: () => void): void {
      reconnectHandlers.add(handle)
    },

    async send(signal: RunSignal): Promise<void> {
      if (alone) return
      const payload = JSON.stringify({ sender: self, ...signal })
      metrics?.runMessageSent({ way: 'database', what: signal.type })
      await sendNotification(db, { channel: CHANNEL, payload }).catch((error: unknown) =>
        log.warn({ err: error, type: signal.type }, 'other processes could not be told of a run'),
      )
    },

    async start(): Promise<void> {
      const onReconnect = () => {
        for (const handle of reconnectHandlers) handle()
      }
      unlisten = await database.listen({ channel: CHANNEL, onNotify, onReconnect })
    },

    async close(): Promise<void> {
      await unlisten?.()
    },
  }
}
