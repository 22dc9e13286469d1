import type pg from 'pg'

/** What stands between this program and the server; `shared`: sessions change hands between transactions. */
export type Pooler = 'none' | 'by session' | 'shared'

const ROUNDS = 3

/**
 * A server tells each client the process that serves its connection (BackendKeyData in PostgreSQL's protocol), which
 * equals pg_backend_pid(). A pooler such as PgBouncer or Odyssey makes up that key, so the two differ. Two
 * connections open at once have two processes; if both saw the same one, it is pooled.
 */
export async function findPooler(client: pg.Client, connect: () => Promise<pg.Client>): Promise<Pooler> {
  // Missing in the types of pg, which fills it when the key arrives.
  const { processID: reported } = client as pg.Client & { processID: number | null }
  if (reported === (await readBackend(client))) return 'none'
  const other = await connect().catch(() => undefined)
  // A pool that hands out its only session keeps it for that client.
  if (other === undefined) return 'by session'
  try {
    const [ofOne, ofOther] = [new Set<number>(), new Set<number>()]
    for (let round = 0; round < ROUNDS; round += 1) {
      ofOne.add(await readBackend(client))
      ofOther.add(await readBackend(other))
    }
    const isShared = ofOne.size > 1 || ofOther.size > 1 || [...ofOne].some((pid) => ofOther.has(pid))
    return isShared ? 'shared' : 'by session'
  } finally {
    await other.end()
  }
}

async function readBackend(client: pg.Client): Promise<number> {
  const { rows } = await client.query('select pg_backend_pid() as pid')
  return rows[0].pid
}
