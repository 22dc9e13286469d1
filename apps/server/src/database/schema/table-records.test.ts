import { readFileSync } from 'node:fs'
import { getTableName } from 'drizzle-orm'
import { getTableConfig, type PgTable } from 'drizzle-orm/pg-core'
import { expect, test } from 'vitest'
import { users } from './index.ts'
import { TABLE_RECORDS, TABLES, type TableName } from './table-records.ts'

/** Without a foreign key: a trigger deletes them. */
const BY_TRIGGER: readonly TableName[] = ['usages']

const EFFECTS = { cascade: 'deleted', 'set null': 'nameless' } as const

/** By the foreign keys, straight to the account or by what belongs to it. */
function effectOf(table: PgTable, above: readonly PgTable[] = []): 'deleted' | 'nameless' | 'kept' {
  if (table === users) return 'deleted'
  const effects = getTableConfig(table).foreignKeys.flatMap(({ onDelete, reference }) => {
    const { foreignTable } = reference()
    const isAlong = ![...above, table].includes(foreignTable)
    if (!isAlong || effectOf(foreignTable, [...above, table]) !== 'deleted') return []
    return [EFFECTS[onDelete as keyof typeof EFFECTS]]
  })
  return (['deleted', 'nameless'] as const).find((effect) => effects.includes(effect)) ?? 'kept'
}

const names = Object.keys(TABLE_RECORDS) as TableName[]

test.each(names.filter((name) => !BY_TRIGGER.includes(name)))(
  'the record of %s says what becomes of its rows when their account is deleted, as its foreign keys do',
  (name) => {
    expect(TABLE_RECORDS[name].withAccount).toBe(effectOf(TABLES[name]))
  },
)

/** Lists of tags and links to them are columns of prompts and chains. */
const AS_COLUMNS: readonly TableName[] = ['tags', 'promptTags', 'chainTags']

test('an export reads the tables whose records say so, and no other', () => {
  const source = readFileSync(new URL('../../features/exports/exports.sql.ts', import.meta.url), 'utf8')
  const [, imported = ''] = /import \{([^}]+)\} from '[./]+database\/schema\/index\.ts'/.exec(source) ?? []
  const read = [...imported.matchAll(/\w+/g)].map(([name]) => name as TableName)
  const exported = names.filter((name) => TABLE_RECORDS[name].exported !== 'left out')
  expect([...read, ...AS_COLUMNS].toSorted()).toEqual(exported.toSorted())
})

test('what is noted as deleted comes before what it refers to', () => {
  const noted = names.filter((name) => TABLE_RECORDS[name].noted !== undefined)
  const early = noted.flatMap((name, index) =>
    getTableConfig(TABLES[name]).foreignKeys.flatMap(({ reference }) => {
      const { foreignTable } = reference()
      const before = noted.slice(0, index).find((other) => TABLES[other] === foreignTable)
      return before === undefined ? [] : [`${getTableName(foreignTable)} before ${name}`]
    }),
  )
  expect(early).toEqual([])
})
