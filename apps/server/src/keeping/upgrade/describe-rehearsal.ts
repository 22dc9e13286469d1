import { megabytes } from '../backup/backup-file.ts'
import type { Rehearsal, RehearsedTable } from './rehearsal.ts'

export function describeRehearsal({ file, ...rehearsal }: Rehearsal & { file: string | null }): string {
  const { takenAt, before, after, place } = rehearsal
  return [
    `Rehearsed with ${file ?? 'a copy of the database'}, taken ${takenAt} by Catenary ${before.program}.`,
    after.schema === before.schema
      ? `Catenary ${after.program} has the same schema, ${after.schema}: there is nothing to migrate.`
      : `The schema goes from ${before.schema} to ${after.schema}, the one of Catenary ${after.program}.`,
    ...describeMigrations(rehearsal),
    ...describeTables(rehearsal.tables),
    '',
    describeRoom(rehearsal.room),
    `Your data was not changed: this happened in ${place}, which has been deleted.`,
  ].join('\n')
}

function describeMigrations({ migrations, restoreMs }: Rehearsal): string[] {
  if (migrations.length === 0) return []
  const all = migrations.reduce((sum, { ms }) => sum + ms, 0)
  const rows = [...migrations.map(({ name, ms }) => [name, count(ms)]), ['all', count(all)]]
  return [
    '',
    ...inColumns([['Migration', 'ms'], ...rows]),
    '',
    `Catenary is unavailable while they run. Restoring the copy first took ${count(restoreMs)} ms.`,
  ]
}

function describeTables(tables: RehearsedTable[]): string[] {
  const changed = tables.filter(({ before, after }) => before !== after)
  const rows = changed.map(({ name, before, after }) => [name, count(before), count(after)])
  const others = tables.filter(({ before, after }) => before === after)
  const listed = others.map(({ name, before }) => `${name} ${count(before)}`)
  return [
    ...(rows.length === 0 ? [] : ['', ...inColumns([['Table', 'rows before', 'after'], ...rows])]),
    ...(listed.length === 0 ? [] : ['', `Tables whose number of rows stays the same: ${listed.join(', ')}.`]),
  ]
}

function describeRoom({ copyBytes, growthBytes, freeBytes, fits }: Rehearsal['room']): string {
  const grows = `the migrations take up to ${megabytes(growthBytes)}`
  if (freeBytes === null) return `Space: ${grows} on the server; only its own machine knows how much is free.`
  const said = `Space: the copy made first takes ${megabytes(copyBytes)}, and ${grows}; ${megabytes(freeBytes)} are free.`
  return fits ? said : `${said} That is not enough: free up space first.`
}

const count = (number: number | null): string => number?.toLocaleString('en') ?? '–'

function inColumns(rows: string[][]): string[] {
  const widths = (rows[0] ?? []).map((_cell, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)))
  return rows.map((row) =>
    row
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join('  '),
  )
}
