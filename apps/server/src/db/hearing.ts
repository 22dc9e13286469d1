import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import type { DatabaseLog } from './database-log.ts'
import type { Listener } from './listener.ts'

/** Whether notifications of other processes arrive in this one. */
export interface Hearing {
  /** Why they don't, and what to do about it; null as long as they do. */
  failure(): string | null
}

/** For the embedded database, which has one process. */
export const nothingToHear: Hearing = { failure: () => null }

const PROOF_CHANNEL = 'catenary_proof'
const HEARD_WITHIN_MS = 2_000
const PROVE_EVERY_MS = 60_000
const PROVE_AGAIN_MS = 5_000

interface ProofOptions {
  /** Where writers notify. On the listening connection itself a pooler may answer in the same round trip. */
  pool: pg.Pool
  listener: Pick<Listener, 'listen'>
  /** Whether DATABASE_DIRECT_URL is set. */
  hasDirectUrl: boolean
  log: DatabaseLog | undefined
}

/** Proves each minute that what is notified through the pool arrives on the listening connection. */
export class HearingProof implements Hearing {
  readonly #options: ProofOptions
  #onChange: () => void = () => {}
  #failure: string | null = null
  #isConnected = true
  #timer: NodeJS.Timeout | undefined
  #isClosed = false
  #expected: { nonce: string; heard: () => void } | undefined

  constructor(options: ProofOptions) {
    this.#options = options
  }

  failure(): string | null {
    return this.#failure
  }

  /** Resolves after the first proof; `onChange` is called when the verdict changes. */
  async start(onChange: () => void): Promise<void> {
    this.#onChange = onChange
    await this.#options.listener.listen({
      channel: PROOF_CHANNEL,
      onNotify: (nonce) => this.#hear(nonce),
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
    this.#expected = { nonce, heard: () => resolve(true) }
    try {
      await this.#notify(nonce)
      const isHeard = await Promise.race([promise, delay(HEARD_WITHIN_MS, false, { ref: false })])
      // A later proof has taken over, or there is no connection to hear on, of which others tell.
      if (this.#expected.nonce === nonce && this.#isConnected) this.#settle(isHeard)
    } catch {
      // The database is away, of which others tell.
    }
    if (this.#isClosed || this.#expected.nonce !== nonce) return
    const wait = this.#failure === null ? PROVE_EVERY_MS : PROVE_AGAIN_MS
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

  #hear(nonce: string): void {
    if (this.#expected?.nonce !== nonce) return
    this.#expected.heard()
    // It may come after the verdict, on a busy machine.
    this.#settle(true)
  }

  #settle(isHeard: boolean): void {
    const wasHeard = this.#failure === null
    this.#failure = isHeard ? null : explainDeafness(this.#options).join('. ')
    if (wasHeard === isHeard || this.#isClosed) return
    const { log } = this.#options
    if (isHeard) log?.info({}, 'Notifications of other processes arrive again')
    else log?.warn({}, `${this.#failure} Until then nothing is kept in memory, and /readyz answers 503.`)
    this.#onChange()
  }
}

/** Why notifications don't arrive, and what to do. */
export function explainDeafness({ hasDirectUrl }: { hasDirectUrl: boolean }): [text: string, todo: string] {
  const nobody = 'Notifications of other processes don’t arrive'
  const pooler = 'a pooler that lends its sessions for one transaction at a time'
  return hasDirectUrl
    ? [
        `${nobody}: DATABASE_DIRECT_URL leads to ${pooler}, or to another database than DATABASE_URL`,
        'Set DATABASE_DIRECT_URL to the address of PostgreSQL itself.',
      ]
    : [
        `${nobody}: DATABASE_URL leads to ${pooler}`,
        'Set DATABASE_DIRECT_URL to the address of PostgreSQL itself.',
      ]
}

/** Whether what one connection notifies arrives on another one. */
export async function isHeard({
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
    return await Promise.race([promise, delay(HEARD_WITHIN_MS, false, { ref: false })])
  } finally {
    listening.off('notification', onNotification)
  }
}
