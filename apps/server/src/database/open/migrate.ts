import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator'
import type pg from 'pg'
import { SettingError, StartError } from '../../errors.ts'
import { requireRightsToMigrate } from '../server/rights.ts'
import { LIFT_LIMITS } from '../server/role-limit.ts'
import type { Queryable } from '../statements/queryable.ts'
import type { DatabaseClient } from './client.ts'
import { isBeforeBaseline, listApplied, type SchemaNumber } from './schema-number.ts'

interface MigrateOptions {
  database: DatabaseClient
  migrationsFolder?: string | undefined
  /** Done before a database with data is changed, in the one session of an embedded database. */
  beforeChange?: (client: pg.PoolClient) => Promise<void>
  wayBack?: () => Promise<string>
  onMigration?: MigrationObserver | undefined
}

export type MigrationObserver = (migration: { name: string; ms: number }) => void

export class NewerSchemaError extends SettingError {
  constructor(wayBack = 'Start that version, or restore a backup that was made before the upgrade.') {
    super(`The database belongs to a newer version of Catenary than this one. ${wayBack}`)
  }
}

export class OlderSchemaError extends SettingError {
  constructor() {
    super(
      'The database is from before Catenary 0.1.0. Start commit 299abfa2 with it once, which brings it up to date, ' +
        'then start this one.',
    )
  }
}

const LOCK_KEY = 727_263_001
const OWN_MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url))

/**
 * Brings the database to this program's schema, all in one transaction; one process does it, the others wait. Throws
 * NewerSchemaError, which says how to get back, and StartError for a migration that fails.
 */
export async function migrate({
  database,
  migrationsFolder = OWN_MIGRATIONS,
  beforeChange = async () => {},
  wayBack,
  onMigration,
}: MigrateOptions): Promise<void> {
  const run = (client: pg.PoolClient) =>
    migrateLocked({ client, migrationsFolder, beforeChange, wayBack, onMigration })
  // The embedded database has one session.
  if (database.kind === 'embedded') return database.withoutLimit(run)
  // Held by a transaction: a session's lock would go to whoever a pooler lends the session next.
  await database.withoutLimit(async (holder) => {
    await holder.query('begin')
    await holder.query(LIFT_LIMITS)
    await lockMigrations(holder)
    await database.withoutLimit(run)
    await holder.query('commit')
  })
}

interface LockedOptions extends Omit<MigrateOptions, 'database'> {
  client: pg.PoolClient
  migrationsFolder: string
  beforeChange: (client: pg.PoolClient) => Promise<void>
}

async function migrateLocked({
  client,
  migrationsFolder,
  beforeChange,
  wayBack,
  onMigration,
}: LockedOptions): Promise<void> {
  await checkEncoding(client)
  const known = listKnown(migrationsFolder)
  const applied = await listApplied(client)
  const last = Math.max(0, ...applied)
  if (isBeforeBaseline(last)) throw new OlderSchemaError()
  if (applied.some((when) => !known.includes(when))) throw new NewerSchemaError(await wayBack?.())
  if (applied.length === known.length) return
  await requireRightsToMigrate(client)
  if (applied.length > 0) await beforeChange(client)
  await client.query('begin')
  await client.query(LIFT_LIMITS)
  await applyMigrations({ client, after: last, migrationsFolder, onMigration })
  await client.query('commit')
}

/** A server set up without a locale has databases that take bytes for texts. */
export async function checkEncoding(client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query('show server_encoding')
  const { server_encoding: encoding } = rows[0]
  if (encoding === 'UTF8') return
  throw new SettingError(
    `The database at DATABASE_URL is encoded in ${encoding}, but Catenary needs UTF-8. ` +
      `Create one with "CREATE DATABASE catenary TEMPLATE template0 ENCODING 'UTF8'", then start again.`,
  )
}

/** A role that may create the schema may also create the extension, if the server has it installed. */
function refusedExtension(error: unknown): StartError | undefined {
  for (let link = error; link instanceof Error; link = link.cause) {
    const [, name] = /extension "(\w+)"/.exec(link.message) ?? []
    if (name === undefined) continue
    return new StartError(
      `The extension ${name}, which search needs, can’t be installed in the database: ${link.message}. ` +
        `Ask its administrator to install it, or run 'CREATE EXTENSION ${name}' in this database, then start again.`,
    )
  }
  return undefined
}

export interface MigrationState {
  applied: number
  missing: number
  unknown: number
  isOlder: boolean
}

export async function readMigrationState(client: Queryable): Promise<MigrationState> {
  const known = listKnown(OWN_MIGRATIONS)
  const applied = await listApplied(client)
  return {
    applied: applied.length,
    missing: known.filter((when) => !applied.includes(when)).length,
    unknown: applied.filter((when) => !known.includes(when) && !isBeforeBaseline(when)).length,
    isOlder: isBeforeBaseline(Math.max(0, ...applied)),
  }
}

export function isKnownSchema({ last }: Pick<SchemaNumber, 'last'>): boolean {
  return listKnown(OWN_MIGRATIONS).includes(last)
}

export async function lockMigrations(client: Queryable): Promise<void> {
  await client.query(`select pg_advisory_xact_lock(${LOCK_KEY})`)
}

interface ApplyOptions {
  client: Pick<pg.ClientBase, 'query'>
  /** When the last that the database has had was written; 0: it has had none. */
  after: number
  to?: number
  migrationsFolder?: string | undefined
  onMigration?: MigrationObserver | undefined
}

/**
 * Runs migrations in the transaction of `client`. Throws NewerSchemaError or OlderSchemaError if this program has not
 * those up to `to`, and a StartError that names the migration which fails.
 */
export async function applyMigrations({
  client,
  after,
  to = Number.POSITIVE_INFINITY,
  migrationsFolder = OWN_MIGRATIONS,
  onMigration = () => {},
}: ApplyOptions): Promise<void> {
  const known = readMigrations(migrationsFolder)
  if (isBeforeBaseline(to)) throw new OlderSchemaError()
  if (Number.isFinite(to) && known.every(({ folderMillis }) => folderMillis !== to))
    throw new NewerSchemaError()
  // As Drizzle makes it, which can't migrate in a transaction of others.
  await client.query(`
    create schema if not exists drizzle;
    create table if not exists drizzle.__drizzle_migrations (
      id serial primary key, hash text not null, created_at bigint)`)
  for (const migration of known) {
    if (migration.folderMillis <= after || migration.folderMillis > to) continue
    const start = performance.now()
    try {
      await applyMigration(client, migration)
    } catch (error) {
      throw refusedExtension(error) ?? describeFailure(migration, error)
    }
    onMigration({ name: migration.name, ms: Math.round(performance.now() - start) })
  }
}

async function applyMigration(
  client: ApplyOptions['client'],
  { sql, hash, folderMillis }: MigrationMeta,
): Promise<void> {
  for (const statement of sql) await client.query(statement)
  await client.query('insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)', [
    hash,
    folderMillis,
  ])
}

function describeFailure({ name }: { name: string }, error: unknown): StartError {
  const why = error instanceof Error ? error.message : String(error)
  return new StartError(`The migration ${name} failed: ${why}. The database is as it was before.`, {
    cause: error,
  })
}

function readMigrations(migrationsFolder: string): (MigrationMeta & { name: string })[] {
  const journal = readFileSync(path.join(migrationsFolder, 'meta/_journal.json'), 'utf8')
  const entries: { tag: string }[] = JSON.parse(journal).entries
  return readMigrationFiles({ migrationsFolder }).map((migration, at) => ({
    ...migration,
    name: entries[at]?.tag ?? '',
  }))
}

function listKnown(migrationsFolder: string): number[] {
  return readMigrationFiles({ migrationsFolder }).map(({ folderMillis }) => folderMillis)
}
