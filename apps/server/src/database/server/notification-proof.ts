import { randomUUID } from 'node:crypto'
import { setTimeout as delay, setImmediate } from 'node:timers/promises'
import type pg from 'pg'
import type { DatabaseLog } from '../signals/database-log.ts'
import type { Listener } from '../signals/listener.ts'
import type { Pooler } from './pooler.ts'

export interface Notifications {
  failure(): string | null
}

export const noneMissing: Notifications = { failure: () => null }

const PROOF_CHANNEL = 'catenary_proof'
const ARRIVES_WITHIN_MS = 2_000
const PROVE_EVERY_MS = 60_000
const PROVE_AGAIN_MS = 5_000

interface ProofOptions {
  /** Where writers notify. On the listening connection itself a pooler may answer in the same round trip. */
  pool: pg.Pool
  listener: Pick<Listener, 'listen'>
  way: ListeningWay
  log: DatabaseLog | undefined
  everyMs?: number
}

interface ListeningWay {
  hasDirectUrl: boolean
  pooler: Pooler
}

/** Proves each minute that what is notified through the pool arrives on the listening connection. */
export class NotificationProof implements Notifications {
  readonly #options: ProofOptions
  #onChange: () => void = () => {}
  #failure: string | null = null
  #isConnected = true
  #timer: NodeJS.Timeout | undefined
  #isClosed = false
  #expected: { nonce: string; arrived: () => void } | undefined

  constructor(options: ProofOptions) {
    this.#options = options
  }

  failure(): string | null {
    return this.#failure
  }

  async start(onChange: () => void): Promise<void> {
    this.#onChange = onChange
    await this.#options.listener.listen({
      channel: PROOF_CHANNEL,
      onNotify: (nonce) => this.#receive(nonce),
      onDisconnect: () => {
        this.#isConnected = false
      },
      onReconnect: () => {
        this.#isConnected = true
        void this.#prove()
      },
    })
    await this.#prove()
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
  }

  async #prove(): Promise<void> {
    clearTimeout(this.#timer)
    const nonce = randomUUID()
    const { promise, resolve } = Promise.withResolvers<boolean>()
    this.#expected = { nonce, arrived: () => resolve(true) }
    try {
      await this.#notify(nonce)
      const arrives = await withinLimit(promise)
      // A later proof has taken over, or there is no connection to receive it, which others report.
      if (this.#expected.nonce === nonce && this.#isConnected) this.#settle(arrives)
    } catch {
      // The database is unreachable, which others report.
    }
    if (this.#isClosed || this.#expected.nonce !== nonce) return
    const { everyMs = PROVE_EVERY_MS } = this.#options
    const wait = this.#failure === null ? everyMs : Math.min(everyMs, PROVE_AGAIN_MS)
    this.#timer = setTimeout(() => void this.#prove(), wait).unref()
  }

  async #notify(nonce: string): Promise<void> {
    const client = await this.#options.pool.connect()
    try {
      await client.query('select pg_notify($1, $2)', [PROOF_CHANNEL, nonce])
      client.release()
    } catch (error) {
      client.release(true)
      throw error
    }
  }

  #receive(nonce: string): void {
    if (this.#expected?.nonce !== nonce) return
    this.#expected.arrived()
    // It may come after the verdict, on a busy machine.
    this.#settle(true)
  }

  #settle(arrives: boolean): void {
    const arrivedBefore = this.#failure === null
    this.#failure = arrives ? null : explainMissing(this.#options.way).join('. ')
    if (arrivedBefore === arrives || this.#isClosed) return
    const { log } = this.#options
    if (arrives) log?.info({}, 'Notifications of other processes arrive again')
    else log?.warn({}, `${this.#failure} Until then no rows are kept in memory, and /readyz answers 503.`)
    this.#onChange()
  }
}

export function explainMissing({ hasDirectUrl, pooler }: ListeningWay): [text: string, todo: string] {
  const missing = 'Notifications of other processes don’t arrive'
  const todo = 'Set DATABASE_DIRECT_URL to the address of PostgreSQL itself.'
  const shared = 'a pooler that lends its sessions for one transaction at a time'
  if (hasDirectUrl) {
    return [
      `${missing}: DATABASE_DIRECT_URL leads to ${shared}, or to another database than DATABASE_URL`,
      todo,
    ]
  }
  if (pooler !== 'none') return [`${missing}: DATABASE_URL leads to ${shared}`, todo]
  return [`${missing} within 2 s`, 'Find out what keeps PostgreSQL or this machine so busy.']
}

/** Whether it comes in time; what has come while this thread was busy counts. */
async function withinLimit(arrival: Promise<boolean>): Promise<boolean> {
  const inTime = await Promise.race([arrival, delay(ARRIVES_WITHIN_MS, false, { ref: false })])
  return inTime || Promise.race([arrival, setImmediate(false)])
}

export async function arrives({
  listening,
  notifying,
}: {
  listening: pg.Client
  notifying: pg.Client
}): Promise<boolean> {
  const nonce = randomUUID()
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const onNotification = ({ payload }: pg.Notification) => {
    if (payload === nonce) resolve(true)
  }
  listening.on('notification', onNotification)
  try {
    await listening.query(`listen ${PROOF_CHANNEL}`)
    await notifying.query('select pg_notify($1, $2)', [PROOF_CHANNEL, nonce])
    return await withinLimit(promise)
  } finally {
    listening.off('notification', onNotification)
  }
}
