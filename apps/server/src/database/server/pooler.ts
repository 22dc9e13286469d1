import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { StartError } from '../../errors.ts'

/** What stands between this program and the server; `shared`: sessions change hands between transactions. */
export type Pooler = 'none' | 'by session' | 'shared'

export interface Way {
  pooler: Pooler
  keepsNames: boolean
}

const ROUNDS = 5
const BY_SESSION: Way = { pooler: 'by session', keepsNames: true }
/** What works through any pooler. */
const UNPROVEN: Way = { pooler: 'shared', keepsNames: false }

/**
 * A server tells each client the process that serves its connection (BackendKeyData in PostgreSQL's protocol), which
 * equals pg_backend_pid(). A pooler such as PgBouncer or Odyssey makes up that key, so the two differ.
 */
export async function isPooled(client: Pick<pg.ClientBase, 'query'>): Promise<boolean> {
  // Missing in the types of pg, which fills it when the key arrives.
  const { processID: reported } = client as typeof client & { processID: number | null }
  return reported !== (await readBackend(client))
}

/**
 * Tells what stands between, and proves whether names of statements hold. Connections are to have a `query_timeout`:
 * a pooler lets a client wait for a session. Throws a StartError where no transaction can be had.
 */
export async function examineWay(client: pg.Client, connect: () => Promise<pg.Client>): Promise<Way> {
  if (!(await isPooled(client))) return { pooler: 'none', keepsNames: true }
  const other = await connect().catch(() => undefined)
  if (other === undefined) return UNPROVEN
  try {
    return await compareSessions(client, other)
  } finally {
    await other.end().catch(() => {})
  }
}

/** While one client holds its session in a transaction, the other one can't have the same. */
async function compareSessions(client: pg.Client, other: pg.Client): Promise<Way> {
  // Another proof leaves its name behind in the sessions of a pool.
  const named = { name: `catenary_${randomUUID()}`, text: 'select pg_backend_pid() as pid' }
  let isShared = false
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      const before = await readBackend(client, named)
      const held = await holdSession(other)
      isShared ||= held === before
      const after = await readBackend(client, named)
      if (after !== before) return { pooler: 'shared', keepsNames: true }
      await other.query('rollback')
    }
  } catch (error) {
    if (error instanceof StartError) throw error
    // The name is unknown in another session (26000), or no session was free in time.
    return UNPROVEN
  }
  return isShared ? UNPROVEN : BY_SESSION
}

async function holdSession(client: pg.Client): Promise<number> {
  try {
    await client.query('begin')
  } catch (error) {
    if (!(error instanceof Error) || !/statement pooling/.test(error.message)) throw error
    throw new StartError(
      'The pooler at DATABASE_URL lends a session for one statement at a time, and Catenary needs transactions. ' +
        'Set its pool_mode to transaction or session, then start again.',
      { cause: error },
    )
  }
  return readBackend(client)
}

async function readBackend(
  client: Pick<pg.ClientBase, 'query'>,
  query: { name?: string; text: string } = { text: 'select pg_backend_pid() as pid' },
): Promise<number> {
  const { rows } = await client.query<{ pid: number }>(query)
  return rows[0]?.pid ?? 0
}
