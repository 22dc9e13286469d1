import type pg from 'pg'
import type { Listener } from './listener.ts'

/** Rows of a table that were written; any of them where there are no ids. */
export interface RowChange {
  table: string
  ids: number[] | null
}

const CHANNEL = 'catenary_rows'

/**
 * Gets the written rows from the database's triggers. The writing connection receives notices, which are passed on
 * when it is released: after the commit, before the writer goes on. Other processes receive notifications.
 */
export class RowChanges {
  readonly #followers = new Set<(change: RowChange | null) => void>()
  /** Null where no other process can write. */
  readonly #listener: Listener | null
  #listening: Promise<void> | null = null
  #areHeard: boolean

  constructor({ pool, listener }: { pool: pg.Pool; listener: Listener | null }) {
    this.#listener = listener
    this.#areHeard = listener === null
    this.#followOwn(pool)
  }

  /** Whether the changes of every process arrive. */
  get areHeard(): boolean {
    return this.#areHeard
  }

  /** Calls back for each change, and with null where some may have been missed. */
  follow(onChange: (change: RowChange | null) => void) {
    this.#followers.add(onChange)
  }

  /** Begins to hear of other processes' changes. */
  listen(): Promise<void> {
    this.#listening ??= this.#followOthers()
    return this.#listening
  }

  #followOwn(pool: pg.Pool) {
    const noticed = new WeakMap<pg.PoolClient, RowChange[]>()
    pool.on('connect', (client) => {
      const changes: RowChange[] = []
      noticed.set(client, changes)
      client.on('notice', ({ message }) => {
        if (message?.startsWith(CHANNEL)) changes.push(readChange(message.slice(CHANNEL.length + 1)))
      })
      // A commit whose reply was lost sent no notification here.
      client.on('error', () => this.#tell(null))
    })
    pool.on('release', (_error, client) => {
      for (const change of noticed.get(client)?.splice(0) ?? []) this.#tell(change)
    })
  }

  async #followOthers() {
    const onConnection = (areHeard: boolean) => {
      this.#areHeard = areHeard
      this.#tell(null)
    }
    await this.#listener?.listen({
      channel: CHANNEL,
      onNotify: (payload) => this.#tell(readChange(payload)),
      onDisconnect: () => onConnection(false),
      onReconnect: () => onConnection(true),
    })
    onConnection(true)
  }

  #tell(change: RowChange | null) {
    for (const onChange of this.#followers) onChange(change)
  }
}

/** Parses `prompts 1,2` or `prompts *`. */
function readChange(text: string): RowChange {
  const [table = '', ids = '*'] = text.split(' ')
  return { table, ids: ids === '*' ? null : ids.split(',').map(Number) }
}
