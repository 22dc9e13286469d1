import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A migration's name, such as `0044_imports`, and its SQL. */
interface Migration {
  name: string
  sql: string
}

interface Rule {
  /** What follows the table, or the whole statement's beginning. */
  matches: RegExp
  /** Why the version before minds. */
  why: string
}

const BREAKPOINT = '--> statement-breakpoint'
const NAME = '"?([\\w.]+)"?'
const ALTERED = new RegExp(`^alter table (?:if exists )?(?:only )?${NAME} (.*)$`, 'is')

/** Of a table that the version before has. */
const TABLE_RULES: Rule[] = [
  { matches: /\bdrop column\b/i, why: 'drops a column' },
  { matches: /\brename\b/i, why: 'renames' },
  { matches: /\balter (column )?\S+ (set data )?type\b/i, why: 'changes a type' },
  { matches: /\balter (column )?\S+ set not null\b/i, why: 'wants a value that may not be written' },
  { matches: /\balter (column )?\S+ drop default\b/i, why: 'takes a default away' },
  { matches: /\badd constraint\b/i, why: 'refuses what may be written' },
  { matches: /\bdrop constraint\b/i, why: 'drops a constraint, which may be the target of ON CONFLICT' },
]
const ADDED_COLUMN = new RegExp(`\\badd column (?:if not exists )?${NAME} ([^,]*(?:\\([^)]*\\)[^,]*)*)`, 'gi')
const HAS_VALUE = /\bdefault\b|\bgenerated\b|\bserial\b/i
const CREATED_TABLE = new RegExp(`^create (?:unlogged )?table (?:if not exists )?${NAME}`, 'i')
const UNIQUE_INDEX = new RegExp(
  `^create unique index (?:concurrently )?(?:if not exists )?\\S+ on (?:only )?${NAME}`,
  'i',
)
const DROPPED = new RegExp(
  `^(?:drop (table|view|materialized view|type|function|sequence|schema|index) (?:concurrently )?(?:if exists )?${NAME}|alter type ${NAME} rename)`,
  'i',
)

/** `-- safe beside the version before: why`, or `-- stops the version before: why` with the migration in CHANGELOG.md. */
const EXCEPTION = /^-- (safe beside|stops) the version before: \S.*$/im

/**
 * What migrations do that processes of the version before, which go on during an upgrade, would fail at. Only what that
 * version has counts: a table that is new since may be changed at will.
 */
export function findContractions({
  migrations,
  changelog,
}: {
  migrations: Migration[]
  changelog: string
}): string[] {
  const own = new Set<string>()
  return migrations.flatMap(({ name, sql }) =>
    sql.split(BREAKPOINT).flatMap((text) => {
      const found = statementsOf(text).flatMap((statement) => judge(statement, own))
      const [, kind] = EXCEPTION.exec(text) ?? []
      if (kind === undefined) return found.map((why) => `${name}: ${why}`)
      if (found.length === 0) return [`${name}: an exception that nothing needs`]
      if (/stops/i.test(kind) && !changelog.includes(name)) return [`${name}: CHANGELOG.md does not name it`]
      return []
    }),
  )
}

/** The migrations after that one. */
export function readMigrationsAfter(folder: string, last: string): Migration[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql') && file > `${last}.sql`)
    .toSorted()
    .map((file) => ({ name: file.replace(/\.sql$/, ''), sql: readFileSync(join(folder, file), 'utf8') }))
}

/** Without comments; also those that a block runs by EXECUTE. */
function statementsOf(text: string): string[] {
  return text
    .replaceAll(/^\s*--.*$/gm, '')
    .split(/;|\bexecute '|\bthen\b|\bbegin\b/i)
    .map((statement) => statement.replaceAll(/\s+/g, ' ').trim())
    .filter((statement) => statement !== '')
}

function judge(statement: string, own: Set<string>): string[] {
  const created = CREATED_TABLE.exec(statement)?.[1]
  if (created !== undefined) own.add(created)
  const dropped = DROPPED.exec(statement)
  if (dropped !== null) {
    const what = dropped[2] ?? dropped[3] ?? ''
    return own.has(what) ? [] : [`${dropped[1] === undefined ? 'renames' : 'drops'} ${what}`]
  }
  const unique = UNIQUE_INDEX.exec(statement)?.[1]
  if (unique !== undefined && !own.has(unique)) return [`${unique}: refuses what may be written`]
  const [, table = '', change = ''] = ALTERED.exec(statement) ?? []
  if (table === '' || own.has(table)) return []
  const added = [...change.matchAll(ADDED_COLUMN)]
  for (const [, column = ''] of added) own.add(`${table}.${column}`)
  const wanting = added.filter(([, , type = '']) => /\bnot null\b/i.test(type) && !HAS_VALUE.test(type))
  const changed = new RegExp(`\\b(?:drop|alter|rename) column (?:if exists )?${NAME}`, 'i').exec(change)?.[1]
  const broken =
    changed !== undefined && own.has(`${table}.${changed}`)
      ? []
      : TABLE_RULES.filter(({ matches }) => matches.test(change))
  return [
    ...wanting.map(([, column]) => `${table}.${column}: NOT NULL without a default`),
    ...broken.map(({ why }) => `${table}: ${why}`),
  ]
}
