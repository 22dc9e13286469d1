import type pg from 'pg'
import type { NotificationProof } from '../server/notification-proof.ts'
import type { Listener } from '../signals/listener.ts'

export interface RowChange {
  table: string
  ids: number[] | null
}

const CHANNEL = 'catenary_rows'

export async function tellRowsOf(client: Pick<pg.ClientBase, 'query'>, table: string): Promise<void> {
  await client.query('select pg_notify($1, $2)', [CHANNEL, `${table} *`])
}

interface RowChangesOptions {
  pools: pg.Pool[]
  listener: Listener | null
  proof: NotificationProof | null
}

/**
 * Gets the written rows from the database's triggers. The writing connection receives notices, which are passed on
 * when it is released: after the commit, before the writer goes on. Other processes receive notifications.
 */
export class RowChanges {
  readonly #subscribers = new Set<(change: RowChange | null) => void>()
  readonly #listener: Listener | null
  readonly #proof: NotificationProof | null
  #started: Promise<void> | null = null
  #isConnected: boolean

  constructor({ pools, listener, proof }: RowChangesOptions) {
    this.#listener = listener
    this.#proof = proof
    this.#isConnected = listener === null
    for (const pool of pools) this.#subscribeToOwn(pool)
  }

  get isListening(): boolean {
    return this.#isConnected && (this.#proof === null || this.#proof.failure() === null)
  }

  /** Calls back for each change, and with null where some may have been missed; the result ends it. */
  subscribe(onChange: (change: RowChange | null) => void): () => void {
    this.#subscribers.add(onChange)
    return () => void this.#subscribers.delete(onChange)
  }

  listen(): Promise<void> {
    this.#started ??= this.#subscribeToOthers()
    return this.#started
  }

  #subscribeToOwn(pool: pg.Pool) {
    const noticed = new WeakMap<pg.PoolClient, RowChange[]>()
    pool.on('connect', (client) => {
      const changes: RowChange[] = []
      noticed.set(client, changes)
      client.on('notice', ({ message }) => {
        if (message?.startsWith(CHANNEL)) changes.push(readChange(message.slice(CHANNEL.length + 1)))
      })
      // A commit whose reply was lost has sent no notification here.
      client.on('error', () => this.#notify(null))
    })
    pool.on('release', (_error, client) => {
      for (const change of noticed.get(client)?.splice(0) ?? []) this.#notify(change)
    })
  }

  async #subscribeToOthers() {
    const onConnection = (isListening: boolean) => {
      this.#isConnected = isListening
      this.#notify(null)
    }
    await this.#listener?.listen({
      channel: CHANNEL,
      onNotify: (payload) => this.#notify(readChange(payload)),
      onDisconnect: () => onConnection(false),
      onReconnect: () => onConnection(true),
    })
    onConnection(true)
    await this.#proof?.start(() => this.#notify(null))
  }

  #notify(change: RowChange | null) {
    for (const onChange of this.#subscribers) onChange(change)
  }
}

/** Parses `prompts 1,2` or `prompts *`. */
function readChange(text: string): RowChange {
  const [table = '', ids = '*'] = text.split(' ')
  return { table, ids: ids === '*' ? null : ids.split(',').map(Number) }
}
