import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import pg from 'pg'

/** Ends silent connections: a stopped server cancels no statement, and a vanished peer goes unnoticed for 15 minutes. */
export function limitAnswers(pool: pg.Pool, limitMs: number): void {
  pool.on('connect', (client) => {
    const socket = socketOf(client)
    socket?.on('timeout', () => socket.destroy(silent()))
  })
  pool.on('acquire', (client) => waitAtMost(client, limitMs))
  pool.on('release', (_error, client) => waitAtMost(client, 0))
}

/** 0: for as long as it takes. */
function waitAtMost(client: pg.Client, limitMs: number): void {
  socketOf(client)?.setTimeout(limitMs)
}

export class LifeLine {
  readonly #createClient: () => pg.Client
  readonly #limitMs: number
  #client: pg.Client | undefined
  #isClosed = false

  constructor({ createClient, limitMs }: { createClient: () => pg.Client; limitMs: number }) {
    this.#createClient = createClient
    this.#limitMs = limitMs
  }

  /** Resolves with any answer, a refusal too; a connection that gives none in time is ended. */
  async ask(): Promise<void> {
    try {
      const client = this.#client ?? (await this.#connect())
      const timer = setTimeout(() => client.connection.stream.destroy(silent()), this.#limitMs)
      await client.query('select 1').finally(() => clearTimeout(timer))
    } catch (error) {
      if (!(error instanceof pg.DatabaseError)) throw error
    }
  }

  /** Also ends a connection that is still being made, which would keep the process alive. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#client?.end()
  }

  async #connect(): Promise<pg.Client> {
    const client = this.#createClient()
    client.on('error', () => {})
    client.once('end', () => {
      if (this.#client === client) this.#client = undefined
    })
    await client.connect()
    if (this.#isClosed) {
      await client.end()
      throw new Error('The connection to the database was closed')
    }
    this.#client = client
    return client
  }
}

const silent = () => new Error('The connection to the database fell silent')

const isSocket = (stream: Duplex): stream is Socket => 'setTimeout' in stream

function socketOf({ connection: { stream } }: pg.Client): Socket | undefined {
  return isSocket(stream) ? stream : undefined
}
