import pg from 'pg'
import { namePlace } from '../failures/server-failure.ts'
import { arrives } from '../server/notification-proof.ts'
import { examineWay, type Way } from '../server/pooler.ts'
import { readAddress, type Tls } from '../server/server-address.ts'
import { readServerState, type ServerState } from '../server/server-troubles.ts'
import { type ActivityVerdict, verifyActivity } from '../statements/activity-chain.ts'
import type { Queryable } from '../statements/queryable.ts'
import { openDatabase } from './client.ts'
import { type MigrationState, readMigrationState } from './migrate.ts'
import { type MovedMark, readMarks } from './move-marks.ts'

export interface DatabaseFacts {
  version: string
  encoding: string
  sizeBytes: number
  isReadOnly: boolean
  trigrams: 'installed' | 'available' | 'missing'
  migrations: MigrationState
  moved: MovedMark | null
  /** Null where there is no activity yet, or this role may not read it. */
  activity: ActivityVerdict | null
  latencyMs: number
  clockAheadMs: number
  server: ServerFacts | null
}

export interface ServerFacts {
  state: ServerState
  way: Way
  tls: Tls
  hasDirectUrl: boolean
  arrives: boolean
}

const QUESTIONS = 5
const TIMEOUT_MS = 5_000

/** Reads a PostgreSQL server, over plain connections that a pooler doesn't refuse. */
export async function readServerFacts({
  databaseUrl,
  databaseDirectUrl,
}: {
  databaseUrl: string
  databaseDirectUrl: string | undefined
}): Promise<DatabaseFacts> {
  const opened: pg.Client[] = []
  const address = await readAddress(databaseUrl, 'DATABASE_URL')
  const connect = async ({ url: connectionString, place } = address) => {
    const client = new pg.Client({
      connectionString,
      connectionTimeoutMillis: TIMEOUT_MS,
      query_timeout: TIMEOUT_MS,
    })
    client.on('error', () => {})
    try {
      await client.connect()
    } catch (error) {
      throw namePlace(error, place)
    }
    opened.push(client)
    return client
  }
  try {
    const client = await connect()
    const facts = await readFacts(client)
    const state = await readServerState(client)
    const way = await examineWay(client, connect)
    const notifying = await connect()
    const listening =
      databaseDirectUrl === undefined
        ? await connect()
        : await connect(await readAddress(databaseDirectUrl, 'DATABASE_DIRECT_URL'))
    const server = {
      state,
      way,
      tls: address.tls,
      hasDirectUrl: databaseDirectUrl !== undefined,
      arrives: await arrives({ listening, notifying }),
    }
    return { ...facts, server }
  } finally {
    await Promise.all(opened.map((client) => client.end().catch(() => {})))
  }
}

export async function readEmbeddedFacts(options: {
  dataDir: string
  fsync: boolean
}): Promise<DatabaseFacts> {
  const database = await openDatabase(options)
  try {
    return { ...(await readFacts(database.pool)), server: null }
  } finally {
    await database.close()
  }
}

async function readFacts(client: Queryable): Promise<Omit<DatabaseFacts, 'server'>> {
  const { rows } = await client.query(`
    select current_setting('server_version') as version, current_setting('server_encoding') as encoding,
      pg_database_size(current_database())::float8 as size,
      pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as read_only,
      exists (select from pg_extension where extname = 'pg_trgm') as installed,
      exists (select from pg_available_extensions where name = 'pg_trgm') as available`)
  const [found] = rows
  return {
    version: found.version,
    encoding: found.encoding,
    sizeBytes: found.size,
    isReadOnly: found.read_only,
    trigrams: found.installed ? 'installed' : found.available ? 'available' : 'missing',
    migrations: await readMigrationState(client),
    moved: (await readMarks(client)).moved ?? null,
    activity: await verifyActivity(client),
    ...(await compareClocks(client)),
  }
}

async function compareClocks(client: Queryable) {
  const answers: { tookMs: number; aheadMs: number }[] = []
  for (let question = 0; question < QUESTIONS; question += 1) {
    const [startedAt, before] = [performance.now(), Date.now()]
    const { rows } = await client.query('select extract(epoch from clock_timestamp())::float8 * 1000 as now')
    const tookMs = performance.now() - startedAt
    answers.push({ tookMs, aheadMs: rows[0].now - (before + tookMs / 2) })
  }
  const [quickest] = answers.toSorted((a, b) => a.tookMs - b.tookMs)
  const median = answers.map(({ tookMs }) => tookMs).toSorted((a, b) => a - b)[Math.floor(QUESTIONS / 2)]
  return { latencyMs: median ?? 0, clockAheadMs: quickest?.aheadMs ?? 0 }
}
