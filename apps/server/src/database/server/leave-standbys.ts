import type pg from 'pg'

/** SQLSTATE of a write where only reads are taken. */
const READ_ONLY = '25006'

/**
 * Ends each connection that met a server which only reads, once it is given back: the address may lead to the new
 * primary by then, and the connection stays with the old one. Ended any earlier, the caller's rollback would fail and
 * hide the reason.
 */
export function leaveStandbys(pool: pg.Pool): void {
  const metStandby = new WeakSet<pg.PoolClient>()
  pool.on('connect', (client) => {
    client.connection.on('errorMessage', ({ code }: { code?: string }) => {
      if (code === READ_ONLY) metStandby.add(client)
    })
  })
  pool.on('release', (_error, client) => {
    if (metStandby.has(client)) client.end().catch(() => {})
  })
}
