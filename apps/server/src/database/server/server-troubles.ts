import pg from 'pg'
import { STATEMENT_LIMIT_MS } from '../statements/long-statements.ts'
import type { Queryable } from '../statements/queryable.ts'
import type { Way } from './pooler.ts'
import { readTableRights, type TableRights } from './rights.ts'
import { explainLimit, readLimit, type SessionLimit } from './role-limit.ts'
import { listOtherSettings, type SessionSetting, setForRole } from './session-settings.ts'

export interface Trouble {
  text: string
  todo: string
  isFatal?: boolean
}

export interface ServerState {
  encoding: string
  trigrams: 'installed' | 'available' | 'missing'
  rights: TableRights
  limit: SessionLimit
  places: { count: number; setBy: string }
  clockAheadMs: number
  otherSettings: SessionSetting[]
  schema: string | null
}

export const CLOCK_NOTICEABLE_MS = 2_000
/** The length of a run's lease: with a larger difference, two workers would claim the run. */
export const CLOCK_HARMFUL_MS = 20_000
/** One listens, and one asks whether the server answers at all. */
const BESIDE_THE_POOL = 2

export async function readServerState(client: Pick<pg.ClientBase, 'query'>): Promise<ServerState> {
  const queryable: Queryable = client
  const [startedAt, before] = [performance.now(), Date.now()]
  const { rows } = await client.query('select extract(epoch from clock_timestamp())::float8 * 1000 as now')
  const clockAheadMs = rows[0].now - (before + (performance.now() - startedAt) / 2)
  return {
    ...(await readSetup(queryable)),
    rights: await readTableRights(queryable),
    limit: await readLimit(client),
    otherSettings: await listOtherSettings(client),
    clockAheadMs,
  }
}

async function readSetup(
  client: Queryable,
): Promise<Pick<ServerState, 'encoding' | 'trigrams' | 'places' | 'schema'>> {
  const { rows } = await client.query(`
    select current_setting('server_encoding') as encoding, current_schema() as schema,
      exists (select from pg_extension where extname = 'pg_trgm') as installed,
      exists (select from pg_available_extensions where name = 'pg_trgm') as available,
      current_setting('max_connections')::int - case when r.rolsuper then 0 else
        current_setting('superuser_reserved_connections')::int
        + coalesce(current_setting('reserved_connections', true)::int, 0) end as "ofServer",
      r.rolconnlimit as "ofRole", d.datconnlimit as "ofDatabase"
    from pg_roles r, pg_database d where r.rolname = current_user and d.datname = current_database()`)
  const { encoding, schema, installed, available, ofServer, ofRole, ofDatabase } = rows[0]
  const bounds = [
    { count: ofServer, setBy: 'max_connections' },
    { count: ofRole, setBy: 'the CONNECTION LIMIT of the role' },
    { count: ofDatabase, setBy: 'the CONNECTION LIMIT of the database' },
  ]
  const [least] = bounds.filter(({ count }) => count >= 0).toSorted((a, b) => a.count - b.count)
  return {
    encoding,
    schema,
    trigrams: installed ? 'installed' : available ? 'available' : 'missing',
    places: least ?? { count: ofServer, setBy: 'max_connections' },
  }
}

export function judgeEncoding({ encoding }: Pick<ServerState, 'encoding'>): Trouble | null {
  if (encoding === 'UTF8') return null
  return {
    text: `The database is encoded in ${encoding}, but Catenary needs UTF-8`,
    todo: `Create a database with "CREATE DATABASE catenary TEMPLATE template0 ENCODING 'UTF8'", and set DATABASE_URL to it.`,
  }
}

export function judgeTrigrams({ trigrams }: Pick<ServerState, 'trigrams'>): Trouble | null {
  if (trigrams !== 'missing') return null
  return {
    text: 'The extension pg_trgm, which search needs, is not installed on this server',
    todo: 'Ask the administrator of PostgreSQL to install its contrib modules.',
  }
}

export function judgeRights({
  rights: { role, tables, closed },
}: Pick<ServerState, 'rights'>): Trouble | null {
  if (closed.length === 0) return null
  const all =
    'SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public, and USAGE, SELECT, UPDATE ON ALL SEQUENCES IN SCHEMA public'
  return {
    text: `The role ${role} may not read and write ${closed.length} of the ${tables} tables, such as ${closed[0]}`,
    todo: `Use the owner of the tables in DATABASE_URL, or ask that owner to GRANT ${all} TO "${role}".`,
    isFatal: closed.length === tables,
  }
}

/** Whether so many processes find room, each with a pool of that size. Behind a pooler, the pooler has the pool's connections. */
export function judgeConnections({
  places,
  processes,
  poolSize,
  pooler,
}: Pick<ServerState, 'places'> & {
  processes: number
  poolSize: number
  pooler: Way['pooler']
}): Trouble | null {
  if (pooler !== 'none') return null
  const each = poolSize + BESIDE_THE_POOL
  const needed = processes * each
  if (needed <= places.count) return null
  const fitting = Math.floor(places.count / processes) - BESIDE_THE_POOL
  const lower = fitting < 1 ? 'Start fewer processes' : `Set DATABASE_POOL to ${fitting} or less`
  const who = processes === 1 ? 'This process takes' : `${processes} processes take`
  return {
    text: `${who} up to ${needed} connections (DATABASE_POOL ${poolSize} plus ${BESIDE_THE_POOL} each), but ${places.setBy} leaves only ${places.count}`,
    todo: `${lower}, raise ${places.setBy}, or put a pooler such as PgBouncer in between.`,
  }
}

export function judgeClock({ clockAheadMs }: Pick<ServerState, 'clockAheadMs'>): Trouble | null {
  const off = Math.abs(clockAheadMs)
  if (off < CLOCK_NOTICEABLE_MS) return null
  const side = clockAheadMs > 0 ? 'behind' : 'ahead of'
  const [bound, harmful] = [CLOCK_NOTICEABLE_MS / 1000, CLOCK_HARMFUL_MS / 1000]
  return {
    text: `This clock is ${(off / 1000).toFixed(1)} s ${side} the database’s. Up to ${bound} s is fine; from ${harmful} s on, two processes may take the same run`,
    todo: 'Let both machines set their clocks from the network: sudo timedatectl set-ntp true',
  }
}

/** Of sessions that a pooler lends; in others the program sets them itself. */
export function judgeSession({
  otherSettings,
  limit,
  pooler,
}: Pick<ServerState, 'otherSettings' | 'limit'> & { pooler: Way['pooler'] }): Trouble | null {
  if (pooler !== 'shared' || otherSettings.length === 0) return null
  return {
    text: `Sessions of the role ${limit.role} have a different ${otherSettings.join(', ')} from what Catenary reads`,
    todo: `Ask that role or an administrator to run: ${setForRole(otherSettings, limit)}; then let the pooler reopen its sessions (RECONNECT in PgBouncer).`,
  }
}

export function judgeSchema({ schema, limit }: Pick<ServerState, 'schema' | 'limit'>): Trouble | null {
  if (schema === 'public') return null
  const { role, database } = limit
  return {
    text: `Tables are looked up in ${schema === null ? 'no schema' : `the schema ${schema}`}, but copies and moves use those in the schema public`,
    todo: `Ask that role or an administrator to run: ALTER ROLE ${pg.escapeIdentifier(role)} IN DATABASE ${pg.escapeIdentifier(database)} SET search_path = public`,
  }
}

export function judgeLimit({
  limit,
  pooler,
}: Pick<ServerState, 'limit'> & { pooler: Way['pooler'] }): Trouble | null {
  if (pooler !== 'shared' || limit.limitMs === STATEMENT_LIMIT_MS) return null
  return explainLimit(limit, STATEMENT_LIMIT_MS)
}
