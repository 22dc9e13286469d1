import { chosen, type Material, type MaterialItem } from './material.ts'
import { topicOf } from './topics.ts'
import { bluntWords, plain, softened, toneOf } from './wording.ts'
import { amountIn, capitalized, dateIn, keyWords, namesAfter, oneLine, personIn } from './words.ts'

const NOTHING = '–'
const CELL_LENGTH = 110
const ROWS = 12

interface Row {
  index: number
  item: MaterialItem
  count: number
  topic: string
  isCode: boolean
}

const COLUMNS: { name: RegExp; cell: (row: Row) => string | undefined }[] = [
  { name: /^(?:#|no\.?|nr\.?)$/i, cell: ({ index }) => `${index + 1}` },
  { name: /^line(?: number)?$/i, cell: ({ item, index }) => `${item.finding?.line ?? index + 1}` },
  {
    name: /\bcode\b/i,
    cell: ({ item }) => (item.finding === undefined ? undefined : `\`${item.finding.code}\``),
  },
  {
    name: /\b(?:owner|who|person|responsible|assignee|speaker)\b/i,
    cell: ({ item }) => (/^\p{Lu}\p{Ll}+$/u.test(item.label) ? item.label : personIn(item.text)),
  },
  { name: /\b(?:due|date|when|deadline|day|until)\b/i, cell: ({ item }) => dateIn(item.text) },
  { name: /\b(?:counts?|how (?:many|often)|mentions|votes|number)\b/i, cell: ({ count }) => `${count}` },
  { name: /\b(?:price|cost|money|amount|sum|figure)\b/i, cell: ({ item }) => amountIn(item.text) },
  { name: /\b(?:tone|mood|sentiment|feeling)\b/i, cell: ({ item }) => toneOf(item.text) },
  {
    name: /\b(?:severity|priority|impact|urgency)\b/i,
    cell: ({ topic, isCode }) => (topic === 'Problems' || isCode ? 'high' : 'normal'),
  },
  {
    name: /\b(?:suggest\w*|rewrite|rewritten|better|instead|kinder|alternative|fix|change)\b/i,
    cell: ({ item }) => item.finding?.suggestion ?? differing(softened(item.text), item.text),
  },
  { name: /\b(?:plain|simple|meaning|means|in other words)\b/i, cell: ({ item }) => plain(item.text) },
  {
    name: /\b(?:finding|problem|issue|risk|comment|why|reason)\b/i,
    cell: ({ item }) =>
      item.finding?.finding ??
      (bluntWords(item.text)
        .map((word) => `‘${word}’`)
        .join(', ') ||
        keysOf(item)),
  },
  { name: /\b(?:category|topic|theme|type|kind|area|group)\b/i, cell: ({ topic }) => topic },
  {
    name: /\b(?:example|quote|sentence|text|original|clause|item|point|decision|action|task|what|message|commit|customer said)\b/i,
    cell: ({ item }) => item.text,
  },
]

export function writeTable(material: Material): string {
  const { ask } = material.request
  const columns = columnsOf(ask)
  const isCounted = columns.some((column) =>
    /\b(?:counts?|how (?:many|often)|mentions|number)\b/i.test(column),
  )
  const rows = isCounted ? rowsByTopic(material.items) : chosen(material).map(rowOf)
  const ownColumn = Math.max(
    0,
    columns.findIndex((column) => COLUMNS.every(({ name }) => !name.test(column))),
  )
  const lines = rows
    .slice(0, ROWS)
    .map((row) => columns.map((column, index) => cellOf({ column, row, isOwn: index === ownColumn })))
  return [columns.map(capitalized), columns.map(() => '---'), ...lines]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}

function columnsOf(ask: string): string[] {
  const named = namesAfter({ ask, word: /\bcolumns?\b/i })
  const found =
    named.length >= 2
      ? named
      : namesAfter({ ask, word: /\btable\b(?: (?:with|of|that (?:shows|has)|for))?/i })
  return found.length >= 2 ? found : ['#', 'Point', 'Topic']
}

function cellOf({ column, row, isOwn }: { column: string; row: Row; isOwn: boolean }): string {
  const known = COLUMNS.find(({ name }) => name.test(column))
  const text = known === undefined ? (isOwn ? ownCell(row) : keysOf(row.item)) : known.cell(row)
  return oneLine(text ?? NOTHING, CELL_LENGTH).replaceAll('|', '\\|') || NOTHING
}

function ownCell({ item, count, topic }: Row): string {
  if (count > 1) return topic
  return item.label === '' ? item.text : `${item.label}: ${item.text}`
}

function rowOf(item: MaterialItem, index: number): Row {
  return { index, item, count: 1, topic: topicOf(item.text), isCode: item.finding !== undefined }
}

function rowsByTopic(items: readonly MaterialItem[]): Row[] {
  const groups = Map.groupBy(items.map(rowOf), ({ topic }) => topic)
  return [...groups.values()]
    .toSorted((a, b) => b.length - a.length)
    .flatMap(([first, ...others], index) =>
      first === undefined ? [] : [{ ...first, index, count: others.length + 1 }],
    )
}

function keysOf({ text }: MaterialItem): string {
  return keyWords(text.slice(0, 300)).slice(0, 3).join(', ')
}

function differing(changed: string, text: string): string | undefined {
  return changed === text ? undefined : changed
}
