import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { DatabaseLog } from './database-log.ts'

export interface Subscription {
  channel: string
  onNotify: (payload: string) => void
  onDisconnect?: () => void
  onReconnect?: () => void
}

/** What the name begins with of the session on which a process listens: each has one, in a server's list of sessions. */
export const LISTENER_NAME = 'catenary listener'

const FIRST_RETRY_MS = 100
const LAST_RETRY_MS = 5_000

/** LISTEN on one connection of its own, which comes back when the database does. */
export class Listener {
  readonly #createClient: () => pg.Client
  readonly #log: DatabaseLog | undefined
  readonly #subscriptions = new Set<Subscription>()
  readonly #closing = new AbortController()
  #client: Promise<pg.Client> | null = null
  #name = LISTENER_NAME

  constructor({ createClient, log }: { createClient: () => pg.Client; log: DatabaseLog | undefined }) {
    this.#createClient = createClient
    this.#log = log
  }

  /** Other processes see the connection under this name, which begins with `LISTENER_NAME`. Call it before the first subscription. */
  showAs(name: string) {
    this.#name = name
  }

  async listen(subscription: Subscription): Promise<() => Promise<void>> {
    this.#subscriptions.add(subscription)
    try {
      this.#client ??= this.#connect()
      const client = await this.#client
      await client.query(`listen ${pg.escapeIdentifier(subscription.channel)}`)
    } catch (error) {
      this.#subscriptions.delete(subscription)
      throw error
    }
    return () => this.#unlisten(subscription)
  }

  async close() {
    this.#closing.abort()
    this.#subscriptions.clear()
    const client = await this.#client?.catch(() => null)
    await client?.end()
  }

  async #unlisten(subscription: Subscription) {
    this.#subscriptions.delete(subscription)
    if (this.#channels().has(subscription.channel)) return
    const client = await this.#client?.catch(() => null)
    await client?.query(`unlisten ${pg.escapeIdentifier(subscription.channel)}`).catch(() => {})
  }

  #channels(): Set<string> {
    return new Set([...this.#subscriptions].map(({ channel }) => channel))
  }

  async #connect(): Promise<pg.Client> {
    const client = this.#createClient()
    client.on('notification', ({ channel, payload }) => this.#deliver({ channel, payload: payload ?? '' }))
    client.on('error', (error) => this.#log?.warn({ err: error }, 'The listening connection failed'))
    try {
      await client.connect()
      await client.query(`select set_config('application_name', $1, false)`, [this.#name])
      for (const channel of this.#channels()) await client.query(`listen ${pg.escapeIdentifier(channel)}`)
    } catch (error) {
      this.#client = null
      await client.end().catch(() => {})
      throw error
    }
    client.once('end', () => this.#onEnd())
    return client
  }

  #onEnd() {
    this.#client = null
    if (this.#closing.signal.aborted || this.#subscriptions.size === 0) return
    for (const { onDisconnect } of this.#subscriptions) onDisconnect?.()
    this.#client = this.#reconnect()
    this.#client.catch(() => {})
  }

  async #reconnect(): Promise<pg.Client> {
    const { signal } = this.#closing
    for (let wait = FIRST_RETRY_MS; ; wait = Math.min(wait * 2, LAST_RETRY_MS)) {
      await delay(wait, undefined, { signal })
      const client = await this.#connect().catch(() => null)
      if (client === null) continue
      for (const { onReconnect } of this.#subscriptions) onReconnect?.()
      return client
    }
  }

  #deliver({ channel, payload }: { channel: string; payload: string }) {
    for (const subscription of this.#subscriptions) {
      if (subscription.channel === channel) subscription.onNotify(payload)
    }
  }
}
