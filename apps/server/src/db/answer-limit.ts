import { Socket } from 'node:net'
import type pg from 'pg'

/**
 * Ends connections on which a server says nothing for so long: a server that has stopped ends no statement by itself, and
 * a peer that has gone without a word is found by nobody else for a quarter of an hour.
 */
export function limitAnswers(pool: pg.Pool, limitMs: number): void {
  pool.on('connect', (client) => {
    const socket = socketOf(client)
    socket?.on('timeout', () => socket.destroy(silent()))
  })
  pool.on('acquire', (client) => waitAtMost(client, limitMs))
  pool.on('release', (_error, client) => waitAtMost(client, 0))
}

/** 0: for as long as it takes. */
export function waitAtMost(client: pg.Client, limitMs: number): void {
  socketOf(client)?.setTimeout(limitMs)
}

/** Asks what costs nothing; a connection that does not answer in time is ended. */
export async function askForLife(client: pg.Client, limitMs: number): Promise<void> {
  const timer = setTimeout(() => client.connection.stream.destroy(silent()), limitMs)
  try {
    await client.query('select 1')
  } finally {
    clearTimeout(timer)
  }
}

const silent = () => new Error('The connection to the database fell silent')

function socketOf({ connection }: pg.Client): Socket | undefined {
  return connection.stream instanceof Socket ? connection.stream : undefined
}
