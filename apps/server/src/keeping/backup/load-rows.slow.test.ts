import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DatabaseClient } from '../../database/open/client.ts'
import { NewerSchemaError } from '../../database/open/migrate.ts'
import { readSchemaNumber } from '../../database/open/schema-number.ts'
import { StartError } from '../../errors.ts'
import {
  databaseKinds,
  openEmptyDatabase,
  routeDatabaseKinds,
  useTestDatabase,
} from '../../testing/database.ts'
import type { EvaluationLab } from '../../testing/evaluations.ts'
import { removeLargeFile, startFullDatabase } from '../../testing/full-database.ts'
import { useMigrations } from '../../testing/migrations.ts'
import type { BackupPart, TableContent } from './backup-parts.ts'
import { loadRows } from './load-rows.ts'
import { type RowsSource, withRows } from './read-rows.ts'
import { isWithoutTables, readSequences } from './rows-catalog.ts'

/** A copy that was read whole. */
interface Copy {
  schema: RowsSource['schema']
  parts: BackupPart[]
  contents: Record<string, TableContent>
}

const readCopy = (database: DatabaseClient): Promise<Copy> =>
  withRows(database, async ({ schema, parts, tables }) => {
    const all: BackupPart[] = []
    for await (const part of parts) all.push(part)
    return { schema, parts: all, contents: tables() }
  })

const load = (database: DatabaseClient, { schema, parts, contents }: Copy, migrationsFolder?: string) =>
  loadRows({ database, schema, parts: toAsync(parts), tables: () => contents, migrationsFolder })

async function* toAsync(parts: BackupPart[]) {
  yield* parts
}

/** The copy with another text in a part. */
const changed = (copy: Copy, name: RegExp, change: (text: string) => string): Copy => ({
  ...copy,
  parts: copy.parts.map((part) =>
    name.test(part.name) ? { ...part, content: Buffer.from(change(String(part.content))) } : part,
  ),
})

/** Everything that the tables consist of but rows. */
async function describeSchema({ pool }: DatabaseClient): Promise<unknown> {
  const { rows } = await pool.query(`
    select
      (select json_agg(row(c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity,
          a.attgenerated, (select pg_get_expr(d.adbin, d.adrelid) from pg_attrdef d
            where d.adrelid = c.oid and d.adnum = a.attnum)) order by c.relname, a.attnum)
        from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
        where c.relnamespace = 'public'::regnamespace and c.relkind = 'r') as columns,
      (select json_agg(row(conrelid::regclass::text, conname, pg_get_constraintdef(oid), convalidated)
          order by conrelid::regclass::text, conname)
        from pg_constraint where connamespace = 'public'::regnamespace) as constraints,
      (select json_agg(row(tgrelid::regclass::text, tgname, tgenabled, pg_get_triggerdef(oid))
          order by tgrelid::regclass::text, tgname) from pg_trigger where not tgisinternal) as triggers,
      (select json_agg(row(tgrelid::regclass::text, tgfoid::regproc::text, tgenabled)
          order by tgrelid::regclass::text, tgfoid::regproc::text) from pg_trigger where tgisinternal) as internal,
      (select json_agg(indexdef order by indexdef) from pg_indexes where schemaname = 'public') as indexes`)
  return rows[0]
}

const RATINGS = /^rows\/execution_ratings\//
const DAMAGES = [
  {
    what: 'a line that is cut',
    change: (text: string) => text.slice(0, -4),
    says: 'in the middle of a line',
  },
  {
    what: 'another value',
    change: (text: string) => text.replace('"up"', '"down"'),
    says: 'The rows of the table',
  },
  {
    what: 'a row less',
    change: (text: string) => text.slice(0, text.indexOf('\n') + 1),
    says: 'execution_ratings has 0 rows instead of 1',
  },
  {
    what: 'another column',
    change: (text: string) => text.replace('"note"', '"notes"'),
    says: 'The copy’s columns',
  },
  { what: 'no JSON', change: (text: string) => text.replaceAll('", "', '" "'), says: 'json' },
]

describe.each(routeDatabaseKinds)('the rows of a full database on %s', (kind) => {
  let lab: EvaluationLab
  let copy: Copy
  /** Without the large file. */
  let light: Copy
  beforeAll(async () => {
    lab = await startFullDatabase(kind)
    copy = await readCopy(lab.client)
    await removeLargeFile(lab)
    light = await readCopy(lab.client)
  })
  afterAll(() => lab.close())

  it('are in parts of lines that begin with the names of the columns', () => {
    expect(Object.values(copy.contents).filter(({ rows }) => rows > 0).length).toBeGreaterThan(30)
    for (const { name, size, content } of copy.parts) {
      expect(name).toMatch(/^(rows\/[a-z_]+\/\d{6}\.jsonl|sequences\.json)$/)
      expect(size).toBe((content as Buffer).length)
    }
    const first = copy.parts.find(({ name }) => name === 'rows/settings/000001.jsonl')
    const [header, ...lines] = String(first?.content).split('\n')
    expect(JSON.parse(header ?? '')).toEqual(['key', 'value', 'updated_at'])
    expect(lines.find((line) => line.startsWith('["json null"'))).toMatch(/^\["json null", "null", "\d{4}-/)
  })

  it.each(databaseKinds)(
    'A copy by rows has every value as it is, on both kinds of database; loaded, each table has the same hash, foreign keys, triggers and sequences. (%s)',
    async (other) => {
      const target = await openEmptyDatabase(other)
      await load(target, copy)
      const again = await readCopy(target)
      expect(again.contents).toEqual(copy.contents)
      expect(again.schema).toEqual(copy.schema)
      const sequences = copy.parts.at(-1)?.content
      expect(await readSequences(target.pool)).toEqual(JSON.parse(String(sequences)))
      expect(await describeSchema(target)).toEqual(await describeSchema(lab.client))
      const { rows } = await target.pool.query(`
      with last as (select max(id) as id, max(owner_id) as owner, max(category_id) as category from prompts),
        added as (insert into prompts (owner_id, category_id, title, content)
          select owner, category, 'Fresh words', 'c' from last returning id, slug)
      select slug, added.id > last.id as "isNew" from added, last`)
      expect(rows).toEqual([{ slug: 'fresh-words', isNew: true }])
      const orphan = 'insert into prompt_tags (prompt_id, tag_id) values (999999, 999999)'
      await expect(target.pool.query(orphan)).rejects.toThrow(/foreign key/)
      await target.close()
    },
  )

  it('A load that fails, of a copy that was changed or cut, or of a newer version, leaves an empty database; one that has tables is refused.', async () => {
    const target = await openEmptyDatabase('server')
    for (const { what, change, says } of DAMAGES) {
      await expect(load(target, changed(light, RATINGS, change)), what).rejects.toThrow(says)
      expect(await isWithoutTables(target.pool), what).toBe(true)
    }
    await load(target, light)
    expect((await readCopy(target)).contents).toEqual(light.contents)
    await target.close()
  })

  it('are refused by a database that has tables, and by a program that does not know theirs', async () => {
    await expect(load(lab.client, light)).rejects.toThrow(StartError)
    const target = await openEmptyDatabase('server')
    const { applied, last } = light.schema
    const newer = { ...light, schema: { applied: applied + 1, last: last + 1 } }
    await expect(load(target, newer)).rejects.toThrow(NewerSchemaError)
    expect(await isWithoutTables(target.pool)).toBe(true)
    await target.close()
  })
})

describe('rows of an earlier version', () => {
  const { client, folder, add } = useMigrations('server')

  it('are loaded into its tables, and migrated from there', async () => {
    await client().pool.query(
      `insert into users (name, email, username, display_username) values ('o', 'o@e.org', 'o', 'O')`,
    )
    const copy = await readCopy(client())
    add("alter table users add column colour text not null default 'red'")
    const target = await openEmptyDatabase('server')
    await load(target, copy, folder())
    expect((await readSchemaNumber(target.pool)).applied).toBe(copy.schema.applied + 1)
    expect((await target.pool.query('select username, colour from users')).rows).toEqual([
      { username: 'o', colour: 'red' },
    ])
    await target.close()
  })
})

describe('a copy beside writers', () => {
  const database = useTestDatabase('server')

  it('A copy by rows is of one moment: beside writers it has all of a transaction or nothing.', async () => {
    const { pool } = database.client
    const { contents: first } = await readCopy(database.client)
    const rowsOf = (contents: Copy['contents'], table: string) =>
      (contents[table]?.rows ?? 0) - (first[table]?.rows ?? 0)
    let written = 0
    let isOver = false
    const write = async () => {
      const client = await pool.connect()
      while (!isOver) {
        await client.query('begin')
        await client.query(`insert into tags (name, kind) values ($1, 'prompt')`, [`tag ${written}`])
        await client.query(`insert into settings (key, value) values ($1, '1')`, [`setting ${written}`])
        await client.query('commit')
        written += 1
      }
      client.release()
    }
    const writing = write()
    for (let round = 0; round < 5; round += 1) {
      const before = written
      const { contents } = await readCopy(database.client)
      expect(rowsOf(contents, 'tags')).toBeGreaterThanOrEqual(before)
      expect(rowsOf(contents, 'settings')).toBe(rowsOf(contents, 'tags'))
    }
    isOver = true
    await writing
    expect(written).toBeGreaterThan(5)
  })
})
