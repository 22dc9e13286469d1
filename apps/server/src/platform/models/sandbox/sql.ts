import type { SandboxRequest } from './request.ts'

interface Table {
  name: string
  columns: string[]
}

interface Group {
  column: string
  key?: string
  join?: string
}

const DECLARED =
  /(?:create table (?:if not exists )?)?["`]?([a-z_][\w.]{0,60})["`]?\s*\(([^()]{2,600}(?:\([^()]{0,40}\)[^()]{0,600}){0,20})\)/giu
const LISTED = /^[ \t]{0,8}(?:[-*] )?["`]?([a-z_]\w{0,60})["`]? ?[:–—] ?([a-z_][\w ,`"]{3,400})$/gimu
const NO_COLUMN = /^(?:primary|foreign|constraint|unique|check|index|references|on|key)$/i
const DATED = /(?:_at|_on|date|time|day|month)$/i
const SUM_WORDS = /\b(?:total|sum|revenue|spen[dt]|earn\w*|worth|turnover|paid)\b/
const SUMMED = /^(?:total|amount|price|revenue|value|sum|cost|quantity|net|gross)/i

export function writeSql({ request, text }: { request: SandboxRequest; text: string }): string {
  const tables = tablesIn(text)
  const question = questionIn(request)
  const from = tables.toSorted((a, b) => likeness(b, question) - likeness(a, question))[0] ?? {
    name: 'records',
    columns: ['id', 'name', 'created_at'],
  }
  const asked = question.toLowerCase()
  const grouped = groupOf({ asked, from, tables })
  const figure = figureOf({ asked, from })
  const dated = from.columns.find((column) => DATED.test(column))
  const span = /\b(?:last|past|this) (day|week|month|quarter|year)\b/.exec(asked)
  const top = /\btop (\d{1,3})\b|\b(\d{1,3}) (?:best|largest|most|biggest)\b/.exec(asked)
  const isRanked = top !== null || /\b(?:most|largest|highest|biggest|best)\b/.test(asked)
  const shown = from.columns.filter((column) => mentions(asked, column)).slice(0, 5)
  const selected =
    figure === undefined
      ? (grouped === undefined ? [] : [grouped.column]).concat(
          (shown.length > 0 ? shown : from.columns.slice(0, 4)).map((column) => `${from.name}.${column}`),
        )
      : [...(grouped === undefined ? [] : [grouped.column]), figure.expression]
  const lines = [
    `SELECT ${[...new Set(selected)].join(',\n       ')}`,
    `FROM ${from.name}`,
    ...(grouped?.join === undefined ? [] : [grouped.join]),
    ...(span === null || dated === undefined
      ? []
      : whereOf({ column: `${from.name}.${dated}`, span: span[0], unit: span[1] ?? '' })),
    ...(grouped === undefined || figure === undefined ? [] : [`GROUP BY ${grouped.key ?? grouped.column}`]),
    ...(isRanked && figure !== undefined ? [`ORDER BY ${figure.name} DESC`] : []),
    ...(isRanked ? [`LIMIT ${top?.[1] ?? top?.[2] ?? 10}`] : []),
  ]
  const read =
    tables.length === 0
      ? 'No table was given, so one is assumed.'
      : `Tables used: ${tables.map(({ name }) => `\`${name}\``).join(', ')}.`
  return `\`\`\`sql\n${lines.join('\n')};\n\`\`\`\n\n${read}`
}

function tablesIn(text: string): Table[] {
  const tables = new Map<string, string[]>()
  for (const source of [DECLARED, LISTED]) {
    for (const [, name = '', inner = ''] of text.slice(0, 12_000).matchAll(source)) {
      const columns = inner
        .replace(/\([^()]*\)/g, '')
        .split(',')
        .map((column) => /^[\s"`]*([a-z_]\w{0,60})/i.exec(column)?.[1] ?? '')
        .filter((column) => column !== '' && !NO_COLUMN.test(column))
      const isTable = columns.length >= 2 && inner.includes(',')
      if (isTable && !tables.has(name) && tables.size < 12) tables.set(name, columns.slice(0, 30))
    }
  }
  return [...tables].map(([name, columns]) => ({ name, columns }))
}

function questionIn({ ask, blocks }: SandboxRequest): string {
  const labelled = blocks.find(({ label }) => /question|ask|request/i.test(label))?.lines.join(' ')
  const all = `${ask}\n${blocks.flatMap(({ lines }) => lines).join('\n')}`
  return (labelled ?? /[^.?!\n:]{8,300}\?/.exec(all)?.[0] ?? ask).slice(0, 400)
}

function likeness({ name, columns }: Table, question: string): number {
  const asked = question.toLowerCase()
  const isSummed = SUM_WORDS.test(asked) && columns.some((column) => SUMMED.test(column))
  return (
    (isSummed ? 5 : 0) +
    (mentions(asked, name) ? 3 : 0) +
    columns.filter((column) => mentions(asked, column)).length
  )
}

function mentions(asked: string, name: string): boolean {
  const stem =
    name
      .toLowerCase()
      .split('.')
      .at(-1)
      ?.replace(/_id$|s$/, '')
      .replaceAll('_', ' ') ?? ''
  return stem.length > 2 && asked.includes(stem)
}

/** By what 'per', 'by' or 'each' groups: a column of the table, or the name of another that it points to. */
function groupOf({
  asked,
  from,
  tables,
}: {
  asked: string
  from: Table
  tables: Table[]
}): Group | undefined {
  const word = /\b(?:per|by|each|every|which|what) ([a-z]{3,30})/.exec(asked)?.[1]
  if (word === undefined) return undefined
  const stem = word.replace(/(?:ies|es|s)$/, '')
  const own = from.columns.find((column) => column.startsWith(stem) && !column.endsWith('_id'))
  if (own !== undefined) return { column: `${from.name}.${own}` }
  const key = from.columns.find((column) => column.startsWith(stem) && column.endsWith('_id'))
  const other = tables.find((table) => table.name.startsWith(stem) && table !== from)
  const unit = /^(day|week|month|quarter|year)$/.exec(word)?.[1]
  const dated = from.columns.find((column) => DATED.test(column))
  if (unit !== undefined && dated !== undefined)
    return { column: `date_trunc('${unit}', ${from.name}.${dated}) AS ${unit}`, key: unit }
  if (key === undefined || other === undefined)
    return key === undefined ? undefined : { column: `${from.name}.${key}` }
  const shown =
    other.columns.find((column) => /name|title|email|country/.test(column)) ?? other.columns[0] ?? 'id'
  return {
    column: `${other.name}.${shown}`,
    join: `JOIN ${other.name} ON ${other.name}.id = ${from.name}.${key}`,
  }
}

function figureOf({ asked, from }: { asked: string; from: Table }) {
  const named = from.columns.find((column) => SUMMED.test(column))
  const of = named === undefined ? undefined : `${from.name}.${named}`
  if (/\b(?:average|mean)\b/.test(asked) && of !== undefined)
    return { expression: `AVG(${of}) AS average`, name: 'average' }
  if (SUM_WORDS.test(asked) && of !== undefined) return { expression: `SUM(${of}) AS total`, name: 'total' }
  if (/\b(?:how many|number of|count|most)\b/.test(asked))
    return { expression: 'COUNT(*) AS count', name: 'count' }
  return undefined
}

function whereOf({ column, span, unit }: { column: string; span: string; unit: string }): string[] {
  const start = `date_trunc('${unit}', now())`
  if (span.startsWith('this')) return [`WHERE ${column} >= ${start}`]
  const length = unit === 'quarter' ? '3 months' : `1 ${unit}`
  return [`WHERE ${column} >= ${start} - interval '${length}'`, `  AND ${column} < ${start}`]
}
