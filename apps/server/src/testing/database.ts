import { randomUUID } from 'node:crypto'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, inject } from 'vitest'
import { type DatabaseClient, openDatabase } from '../database/open/client.ts'
import { migrate } from '../database/open/migrate.ts'

type DatabaseKind = DatabaseClient['kind']

export interface TestDatabase {
  client: DatabaseClient
  /** Empties all tables, for use between tests. */
  reset: () => Promise<void>
  close: () => Promise<void>
}

/** For `describe.each(databaseKinds)('… on %s', (kind) => { const database = useTestDatabase(kind) … })`. */
export const databaseKinds: DatabaseKind[] = ['embedded', 'server']

/** The same for suites of routes, whose SQL is one: the embedded database, where a slip waits for itself; both when thorough. */
export const routeDatabaseKinds: DatabaseKind[] = inject('everyDatabase') ? databaseKinds : ['embedded']

/** The same for upgrades and restores of data, whose SQL is one: the server, where an old database is made in a tenth of the time. */
export const upgradeDatabaseKinds: DatabaseKind[] = inject('everyDatabase') ? databaseKinds : ['server']

/** Short, so that a query through the pool inside a transaction shows up as an error soon. */
const CONNECTION_TIMEOUT_MS = 10_000
/** Filling a database takes long on a busy machine. */
const STATEMENT_LIMIT_MS = 600_000
const LIMITS = { connectionTimeoutMs: CONNECTION_TIMEOUT_MS, statementLimitMs: STATEMENT_LIMIT_MS }

/** One migrated empty database for the tests of a suite; `client` and `reset` work from `beforeAll` on. */
export function useTestDatabase(kind: DatabaseKind = 'embedded'): Pick<TestDatabase, 'client' | 'reset'> {
  let opened: TestDatabase | undefined
  const get = () => {
    if (!opened) throw new Error('The test database is open only inside tests and hooks')
    return opened
  }
  beforeAll(async () => {
    opened = await openTestDatabase(kind)
  })
  afterAll(() => opened?.close())
  return {
    get client() {
      return get().client
    },
    reset: () => get().reset(),
  }
}

/** A migrated empty database of its own: embedded in a temporary directory, or on the run's PostgreSQL. */
export async function openTestDatabase(kind: DatabaseKind = 'embedded'): Promise<TestDatabase> {
  return kind === 'embedded' ? openEmbedded() : openOnServer()
}

/** Where letters have other rules; the run's PostgreSQL knows those of `C.UTF-8`. */
export type TestLocale = 'C' | 'tr-TR'

const LOCALES: Record<TestLocale, string> = {
  C: "locale_provider libc locale 'C'",
  'tr-TR': "locale_provider icu icu_locale 'tr-TR' locale 'C'",
}

interface NewDatabase {
  migrated?: boolean
  encoding?: string
  locale?: TestLocale
}

/** The connection URL of a new database on the run's PostgreSQL: migrated, or without any table, maybe in another encoding or locale. */
export async function createServerDatabase({
  migrated = true,
  encoding,
  locale,
}: NewDatabase = {}): Promise<string> {
  const url = new URL(await askService('server'))
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const admin = new URL(url)
  admin.pathname = '/postgres'
  const client = new pg.Client({ connectionString: admin.href })
  await client.connect()
  const isOther = encoding !== undefined || locale !== undefined
  const other = isOther ? `encoding '${encoding ?? 'UTF8'}' ${LOCALES[locale ?? 'C']}` : ''
  await client.query(`create database ${name} template ${migrated ? 'template' : 'template0'} ${other}`)
  await client.end()
  url.pathname = `/${name}`
  return url.href
}

/** A new data directory holding a migrated empty embedded database. */
export async function createDataDirectory(): Promise<string> {
  const template = await askService('embedded')
  const dataDir = mkdtempSync(path.join(path.dirname(template), 'data-'))
  cpSync(template, dataDir, { recursive: true })
  return dataDir
}

/** A database without any table, which `close` of its client ends. */
export async function openEmptyDatabase(kind: DatabaseKind): Promise<DatabaseClient> {
  if (kind === 'server') {
    const databaseUrl = await createServerDatabase({ migrated: false })
    return openDatabase({ ...LIMITS, databaseUrl, dataDir: '', fsync: false })
  }
  return openDatabase({ ...LIMITS, dataDir: await createEmptyDirectory(), fsync: false })
}

/** On a server in another locale, migrated. */
export async function openInLocale(locale: TestLocale): Promise<DatabaseClient> {
  const databaseUrl = await createServerDatabase({ migrated: false, locale })
  const client = await openDatabase({ ...LIMITS, databaseUrl, dataDir: '', fsync: false })
  await migrate({ database: client })
  return client
}

/** A directory beside the other test databases. */
export async function createEmptyDirectory(): Promise<string> {
  return mkdtempSync(path.join(path.dirname(await askService('embedded')), 'empty-'))
}

interface EmbeddedData {
  client: DatabaseClient
  dataDir: string
  /** As it was opened. */
  schema: string
}

/** Left open for the worker's next suite, which finds a warm session: opening one and its first statements take longer than most suites. */
let idle: EmbeddedData | undefined

async function openEmbedded(): Promise<TestDatabase> {
  const data = idle ?? (await openDataDirectory())
  idle = undefined
  const { client } = data
  const close = async () => {
    if (idle === undefined && (await isAsNew(data))) idle = data
    else await closeForGood(data)
  }
  return { client, reset: () => emptyAllTables(client), close }
}

async function openDataDirectory(): Promise<EmbeddedData> {
  const dataDir = await createDataDirectory()
  const client = await openDatabase({ ...LIMITS, dataDir, fsync: false })
  return { client, dataDir, schema: await describeSchema(client) }
}

async function closeForGood({ client, dataDir }: EmbeddedData) {
  await client.close()
  rmSync(dataDir, { recursive: true, force: true })
}

/** Empties it; false where a suite broke it or changed what it consists of. */
async function isAsNew({ client, schema }: EmbeddedData): Promise<boolean> {
  try {
    await client.pool.query('reset all; select pg_advisory_unlock_all()')
    await emptyAllTables(client)
    return (await describeSchema(client)) === schema
  } catch {
    return false
  }
}

/** Another after any statement that creates, changes or drops something. */
async function describeSchema({ pool }: DatabaseClient): Promise<string> {
  const { rows } = await pool.query(`
    select md5((select json_agg(row(oid, relname, relnatts, relchecks, reltriggers) order by oid) from (
        select oid, relname, relnatts, relchecks, relhastriggers as reltriggers from pg_class where oid >= 16384) as of)::text
      || (select json_agg(row(oid, prosrc) order by oid) from pg_proc where oid >= 16384)::text
      || (select json_agg(row(oid, tgenabled) order by oid) from pg_trigger)::text
      || (select json_agg(row(oid, pg_get_constraintdef(oid)) order by oid) from pg_constraint where oid >= 16384)::text)
      as schema`)
  return rows[0].schema
}

async function openOnServer(): Promise<TestDatabase> {
  const databaseUrl = await createServerDatabase()
  const options = { ...LIMITS, databaseUrl, dataDir: '', fsync: false }
  const client = await openDatabase(options)
  return { client, reset: () => emptyAllTables(client), close: () => client.close() }
}

/** Deletes: on the embedded database it takes a tenth of what `truncate` does. Everyone’s group is the migration’s own row. */
async function emptyAllTables({ pool }: DatabaseClient) {
  const { rows } = await pool.query(
    `select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`,
  )
  await pool.query(`
    begin;
    set local session_replication_role = replica;
    ${rows.map(({ name }) => `delete from ${name};`).join('\n')}
    select setval(format('%I.%I', schemaname, sequencename)::regclass, 1, false)
      from pg_sequences where schemaname = 'public';
    insert into groups (name, name_key) values ('everyone', 'everyone');
    commit`)
}

async function askService(kind: DatabaseKind): Promise<string> {
  const response = await fetch(`${inject('databaseServiceUrl')}/${kind}`)
  const answer = await response.text()
  if (!response.ok) throw new Error(answer)
  return answer
}
