import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { asc } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { createServerDatabase, databaseKinds, useTestDatabase } from '../../testing/database.ts'
import { openDatabase } from '../open/client.ts'
import { applyMigrations, migrate } from '../open/migrate.ts'
import { categories, tags } from '../schema/index.ts'
import { keepNameKeys, releaseNameKeys } from './name-keys.ts'

/** When 0002 was written, the last migration before. */
const BEFORE_KEYS = 1_795_812_244_289
const SOURCE = path.resolve(import.meta.dirname, '../..')
/** What the version before wants, each beside one that no locale decides. Dropped a version later. */
const OF_THE_VERSION_BEFORE = [
  'categories_name_lower',
  'chain_steps_output',
  'tags_kind_name_lower',
  'users_username_lower',
  'variables_owner_name_lower',
]

/** What search reads where the program has not read yet. */
const SEARCH = ['database/schema/prompts.ts']

describe.each(databaseKinds)('names on %s', (kind) => {
  const database = useTestDatabase(kind)
  beforeEach(() => database.reset())

  const write = (text: string, values: unknown[] = []) => database.client.pool.query(text, values)
  const keysOf = async (table: typeof tags | typeof categories) => {
    const rows = await database.client.db.select().from(table).orderBy(asc(table.id))
    return rows.map(({ id, name, nameKey }) => [id, name, nameKey])
  }

  test('The program compares names: the database’s locale changes nothing (D74).', async () => {
    const { rows } = await write(`
      select indexname, indexdef from pg_indexes
      where schemaname = 'public' and indexdef ~* '\\m(lower|upper)\\('`)
    const byLocale = rows.filter(({ indexdef }) => !/lower\(\(?\w+ COLLATE "C"/.test(indexdef))
    expect(byLocale.map(({ indexname }) => indexname).toSorted()).toEqual(OF_THE_VERSION_BEFORE)
  })

  test('no function lowers letters as the locale does', async () => {
    const { rows } = await write(
      `select proname, prosrc from pg_proc where pronamespace = 'public'::regnamespace and prosrc ~* '\\m(lower|upper|initcap)\\('`,
    )
    expect(rows.map(({ proname }) => proname).toSorted()).toEqual(['reference_names', 'slug_of'])
    for (const { prosrc } of rows) expect(prosrc).toMatch(/lower\([^;]*COLLATE "C"\)/)
  })

  test.each([
    [tags, 'insert into tags (kind, name) values'],
    [categories, 'insert into categories (name) values'],
  ] as const)(
    'what the version before wrote is keyed once it is seen, the older first: %#',
    async (table, into) => {
      const value = (name: string) => (table === tags ? `('prompt', '${name}')` : `('${name}')`)
      await write(`${into} ${['Café', 'Cafe\u0301', 'two  spaces', 'two spaces'].map(value).join(', ')}`)
      expect((await keysOf(table)).map(([, , key]) => key)).toEqual([null, null, null, null])
      await keepNameKeys(database.client.db, table)
      await keepNameKeys(database.client.db, table)
      const [first, second, third, fourth] = await keysOf(table)
      expect(first).toEqual([expect.any(Number), 'Café', 'café'])
      expect(second).toEqual([expect.any(Number), 'Cafe\u0301', `café\u001f${second?.[0]}`])
      expect([third?.[2], fourth?.[2]]).toEqual(['two spaces', `two spaces\u001f${fourth?.[0]}`])
    },
  )

  test('its renaming makes the key missing, never wrong', async () => {
    await database.client.db.insert(categories).values({ name: 'Café', nameKey: 'café' })
    await write(`update categories set name = 'Bar'`)
    expect(await keysOf(categories)).toEqual([[1, 'Bar', null]])
    await keepNameKeys(database.client.db, categories)
    expect(await keysOf(categories)).toEqual([[1, 'Bar', 'bar']])
  })

  test('the same name of two kinds of tag is two names', async () => {
    await write(`insert into tags (kind, name) values ('prompt', 'Café'), ('chain', 'CAFÉ')`)
    await keepNameKeys(database.client.db, tags)
    expect((await keysOf(tags)).map(([, , key]) => key)).toEqual(['café', 'café'])
  })

  test('what stood aside has the key once the older is gone', async () => {
    await write(`insert into categories (name) values ('ﬁsh'), ('fish'), ('FISH.')`)
    await keepNameKeys(database.client.db, categories)
    await write(`delete from categories where id = 1`)
    await releaseNameKeys(database.client.db, categories)
    expect(await keysOf(categories)).toEqual([
      [2, 'fish', 'fish'],
      [3, 'FISH.', 'fish.'],
    ])
  })
})

test('no statement of the program lowers letters as the locale does', () => {
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  const found = files
    .filter((file) => /(?<!\.test)\.ts$/.test(file) && !file.startsWith('testing/') && !SEARCH.includes(file))
    .flatMap((file) =>
      readFileSync(path.join(SOURCE, file), 'utf8')
        .replaceAll(/\n\s+\./g, '.')
        .split('\n')
        .flatMap((line) =>
          /\b(lower|upper|initcap)\((?![^)]*collate "C"\))/.test(line) && !line.includes('uniqueIndex(')
            ? [`${file}: ${line.trim()}`]
            : [],
        ),
    )
  expect(found).toEqual([])
})

describe('an upgrade of a database in Turkish', () => {
  test('keeps variables that it took for two; the older has the name', async () => {
    const databaseUrl = await createServerDatabase({ migrated: false, locale: 'tr-TR' })
    const client = await openDatabase({ databaseUrl, dataDir: '', fsync: false })
    const { pool } = client
    try {
      await client.withoutLimit(async (one) => {
        await one.query('begin')
        await applyMigrations({ client: one, after: 0, to: BEFORE_KEYS })
        await one.query('commit')
      })
      await pool.query(
        `insert into users (name, email, username, display_username) values ('a', 'a@b.c', 'a', 'a')`,
      )
      const names = ['INFO', 'info', 'Info', 'tone']
      for (const name of names) {
        await pool
          .query(`insert into variables (owner_id, name, type) values (1, $1, 'text')`, [name])
          .catch(() => null)
      }
      await pool.query(`insert into categories (name) values ('INFO'), ('info')`)
      await pool.query(
        `insert into prompts (owner_id, category_id, title, content) values (1, 1, 'INVOICE LIST', '$<INFO>')`,
      )
      await migrate({ database: client })
      const { rows: kept } = await pool.query('select name from variables order by id')
      expect(kept.map(({ name }) => name)).toEqual(['INFO', 'info', 'tone'])
      const add = (name: string) =>
        pool.query(`insert into variables (owner_id, name, type) values (1, $1, 'text')`, [name])
      await pool.query(`delete from variables where name = 'info'`)
      await expect(add('iNFO')).rejects.toThrow('variables_owner_key')
      const { rows: prompts } = await pool.query(
        'select reference_names, slug_of(title, title) as slug from prompts',
      )
      expect(prompts).toEqual([{ reference_names: ['info'], slug: 'invoice-list' }])
      await keepNameKeys(client.db, categories)
      const { rows: keys } = await pool.query('select name_key from categories order by id')
      expect(keys.map(({ name_key: key }) => key)).toEqual(['info', 'info\u001f2'])
    } finally {
      await client.close()
    }
  })
})
