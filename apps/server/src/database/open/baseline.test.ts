import path from 'node:path'
import { CasingCache } from 'drizzle-orm/casing'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { getTableConfig, type PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { describe, expect, it, test } from 'vitest'
import { explainUnknownTables } from '../../keeping/backup/known-tables.ts'
import { openBackup, peekBackup } from '../../keeping/backup/read-backup.ts'
import { restoreBackup } from '../../keeping/backup/restore-backup.ts'
import { moveDatabase } from '../../keeping/move/move-database.ts'
import {
  createDataDirectory,
  createServerDatabase,
  databaseKinds,
  useTestDatabase,
} from '../../testing/database.ts'
import * as schema from '../schema/index.ts'
import * as jobs from '../schema/jobs.ts'
import { type DatabaseClient, openDatabase } from './client.ts'
import { migrate, OlderSchemaError, readMigrationState } from './migrate.ts'
import { listApplied } from './schema-number.ts'

const BASELINE = 1_795_744_629_351

const STEPS = 49
const whenOf = (step: number) => BASELINE - (STEPS - 1 - step) * 1_000_000

/** As the commit 299abfa2, or one before it, recorded what it had done. */
async function recordSteps({ pool }: DatabaseClient, count: number): Promise<void> {
  const later = (await listApplied({ query: pool.query.bind(pool) })).filter((when) => when > BASELINE)
  const steps = Array.from({ length: count }, (_, step) => whenOf(step))
  await pool.query('truncate drizzle.__drizzle_migrations')
  await pool.query(
    `insert into drizzle.__drizzle_migrations (hash, created_at) select 'h', unnest($1::bigint[])`,
    [[...steps, ...(count === STEPS ? later : [])]],
  )
}

/** Not one that other suites use afterwards. */
const openOwn = async (kind: DatabaseClient['kind']) =>
  kind === 'server'
    ? openDatabase({ databaseUrl: await createServerDatabase(), dataDir: '', fsync: false })
    : openDatabase({ dataDir: await createDataDirectory(), fsync: false })

describe.each(databaseKinds)('a database of the commit 299abfa2 on %s', (kind) => {
  it('opens as it is; one from before it is refused, and says what leads on', async () => {
    const client = await openOwn(kind)
    const countRows = async () =>
      (await client.pool.query('select count(*)::int as n from drizzle.__drizzle_migrations')).rows[0].n
    const done: string[] = []
    const start = () => migrate({ database: client, onMigration: ({ name }) => done.push(name) })
    await recordSteps(client, STEPS)
    const rows = await countRows()
    await start()
    expect(done).toEqual([])
    expect(await countRows()).toBe(rows)
    expect(await readMigrationState(client.pool)).toMatchObject({ missing: 0, unknown: 0, isOlder: false })

    await recordSteps(client, STEPS - 1)
    await expect(start()).rejects.toThrow(OlderSchemaError)
    await expect(start()).rejects.toThrow(/Start commit 299abfa2 with it once.* then start this one\.$/)
    expect(await countRows()).toBe(STEPS - 1)
    expect(await readMigrationState(client.pool)).toMatchObject({ unknown: 0, isOlder: true })
    const target = { kind: 'embedded' as const } as Parameters<typeof moveDatabase>[0]['target']
    await expect(moveDatabase({ source: client, target })).rejects.toThrow(OlderSchemaError)
    await client.close()
    // Databases are opened, which takes long on a busy machine.
  })
})

test('a copy of the commit 299abfa2 is known, and one from before it is refused with the way', async () => {
  const file = path.join(import.meta.dirname, '../../testing/copies/299abfa2.catenary')
  const about = await peekBackup(file)
  expect(about.schema).toEqual({ applied: 1, last: BASELINE })
  expect(explainUnknownTables({ file, about, what: 'Restore it' })).toBeUndefined()
  const older = { ...about, schema: { applied: 48, last: whenOf(47) } }
  expect(explainUnknownTables({ file, about: older, what: 'Restore it' })).toMatch(
    /is from before Catenary 0\.1\.0\. Restore it with commit 299abfa2 and start that once/,
  )
})

test('such a copy is restored with every row, and taken forward by what came later', async () => {
  const backup = await openBackup(path.join(import.meta.dirname, '../../testing/copies/299abfa2.catenary'))
  const databaseUrl = await createServerDatabase({ migrated: false })
  await restoreBackup({ backup, databaseUrl, dataDir: '', fsync: false, resumeWork: false })
  const client = await openDatabase({ databaseUrl, dataDir: '', fsync: false })
  expect(await readMigrationState(client.pool)).toMatchObject({ missing: 0, unknown: 0, isOlder: false })
  const { rows } = await client.pool.query(`select username from users order by id limit 1`)
  expect(rows).toEqual([{ username: 'olga' }])
  await client.close()
})

test('the baseline is as old as the last step that it stands for, and each migration is younger than the one before', () => {
  const whens = readMigrationFiles({ migrationsFolder: path.join(import.meta.dirname, '../migrations') }).map(
    ({ folderMillis }) => folderMillis,
  )
  expect(whens[0]).toBe(BASELINE)
  expect(new Set(whens).size).toBe(whens.length)
  expect(whens.toSorted((a, b) => a - b)).toEqual(whens)
})

describe('the migrations', () => {
  const database = useTestDatabase()

  it('The migrations make the tables that the program’s schema has.', async () => {
    const tables = Object.values({ ...schema, ...jobs }).filter((value) => value instanceof PgTable)
    expect(tables.length).toBeGreaterThan(60)
    const made = await readMade(database.client)
    expect(made.map(({ name }) => name)).toEqual(tables.map((table) => getTableConfig(table).name).toSorted())
    for (const table of tables) {
      const wanted = describeTable(table)
      expect(made.find(({ name }) => name === wanted.name)).toEqual(wanted)
    }
  })
})

const casing = new CasingCache('snake_case')
const nameOf = (column: PgColumn) => casing.getColumnCasing(column)

function describeTable(table: PgTable) {
  const { name, columns, indexes, checks, uniqueConstraints, primaryKeys } = getTableConfig(table)
  const [key = columns.filter(({ primary }) => primary)] = primaryKeys.map((primary) => primary.columns)
  return {
    name,
    columns: Object.fromEntries(columns.map((column) => [nameOf(column), describeColumn(column)])),
    key: key.map(nameOf),
    indexes: indexes.map(({ config }) => config.name).toSorted(),
    checks: checks.map((rule) => rule.name).toSorted(),
    unique: uniqueConstraints.length + columns.filter(({ isUnique }) => isUnique).length,
  }
}

const describeColumn = (column: PgColumn) => ({
  type: column.getSQLType().replace(' (', '('),
  isRequired: column.notNull,
  isGenerated: column.generated !== undefined,
  isIdentity: column.generatedIdentity !== undefined,
  hasDefault: column.hasDefault && column.generatedIdentity === undefined && column.generated === undefined,
})

/** The same of the tables that are there. */
async function readMade({ pool }: DatabaseClient): Promise<ReturnType<typeof describeTable>[]> {
  const { rows } = await pool.query(`
    select c.relname as name,
      (select json_object_agg(a.attname, json_build_object(
          'type', format_type(a.atttypid, a.atttypmod)
            || case when co.collname <> 'default' then ' collate "' || co.collname || '"' else '' end,
          'isRequired', a.attnotnull, 'isGenerated', a.attgenerated <> '', 'isIdentity', a.attidentity <> '',
          'hasDefault', a.atthasdef and a.attgenerated = ''))
        from pg_attribute a left join pg_collation co on co.oid = a.attcollation
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
      coalesce((select json_agg(a.attname order by place)
        from pg_constraint k, unnest(k.conkey) with ordinality as key(attnum, place), pg_attribute a
        where k.conrelid = c.oid and k.contype = 'p' and a.attrelid = c.oid and a.attnum = key.attnum), '[]') as key,
      coalesce((select json_agg(i.relname order by i.relname collate "C") from pg_index x join pg_class i on i.oid = x.indexrelid
        where x.indrelid = c.oid and not exists (select from pg_constraint k where k.conindid = i.oid and k.contype in ('p', 'u'))), '[]') as indexes,
      coalesce((select json_agg(k.conname order by k.conname collate "C") from pg_constraint k
        where k.conrelid = c.oid and k.contype = 'c'), '[]') as checks,
      (select count(*)::int from pg_constraint k where k.conrelid = c.oid and k.contype = 'u') as unique
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by c.relname collate "C"`)
  return rows
}
