import { readCommaSeparated } from '../assertions/comma-separated.ts'
import { GradingError } from '../assertions/finding.ts'
import { type Fields, ImportError, requireSafeKey } from './draft.ts'
import { readTable } from './read-table.ts'

type Row = Record<string, string>

/** The tests of a table, as promptfoo reads its columns. Throws `ImportError`. */
export function readCsvTests(text: string): Fields[] {
  const rows = readTable(text, readName).map(({ cells }) => cells)
  if (rows.length === 0) throw new ImportError('It has no rows')
  return rows.map(toTest)
}

function readName(header: string): string {
  const name = header.trim()
  requireSafeKey(name.replace('__metadata:', '').replace('[]', ''))
  return name
}

const SINGLE: Record<string, string[]> = {
  __description: ['description'],
  __prefix: ['options', 'prefix'],
  __suffix: ['options', 'suffix'],
  __providerOutput: ['providerOutput'],
}

function toTest(row: Row): Fields {
  const vars: Record<string, string> = {}
  const options: Record<string, string> = {}
  const metadata: Record<string, unknown> = {}
  const own: Record<string, unknown> = {}
  for (const [name, cell] of Object.entries(row)) {
    const [place, within] = (Object.hasOwn(SINGLE, name) && SINGLE[name]) || []
    if (place === undefined && name.startsWith('__metadata:')) readMetadata(metadata, name, cell)
    else if (place === undefined && !isSpecial(name)) vars[name] = cell
    else if (place !== undefined && cell !== '') {
      if (within === undefined) own[place] = cell
      else options[within] = cell
    }
  }
  const threshold = readNumber(row.__threshold)
  return {
    ...own,
    vars,
    assert: readAssertions(row),
    ...(threshold !== undefined && { threshold }),
    ...(Object.keys(options).length > 0 && { options }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
  }
}

function isSpecial(name: string): boolean {
  return /^__(expected|metric$|threshold$|metadata|config:)/.test(name)
}

function readAssertions(row: Row): Fields[] {
  const expected = Object.entries(row).filter(
    ([name, cell]) => name.startsWith('__expected') && cell.trim() !== '',
  )
  return expected.map(([, cell], index) => {
    const threshold = readThreshold(row, index)
    return {
      ...assertionFromText(cell.trim()),
      ...(row.__metric && { metric: row.__metric }),
      ...(threshold !== undefined && { threshold }),
    }
  })
}

/** `__config:__expected2:threshold` is of the second one. */
function readThreshold(row: Row, index: number): number | undefined {
  const first = index === 0 ? row['__config:__expected:threshold'] : undefined
  return readNumber(first ?? row[`__config:__expected${index + 1}:threshold`])
}

function readMetadata(metadata: Record<string, unknown>, name: string, cell: string): void {
  const key = name.slice('__metadata:'.length)
  if (cell.trim() === '') return
  if (key.endsWith('[]')) {
    metadata[key.slice(0, -2)] = cell.split(/(?<!\\),/).map((each) => each.trim().replaceAll('\\,', ','))
  } else metadata[key] = cell
}

/** A cell that is no whole number literal says nothing. */
function readNumber(cell: string | undefined): number | undefined {
  const text = cell?.trim() ?? ''
  return /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/.test(text) ? Number(text) : undefined
}

const CODE = /^(?:javascript|fn|eval):/
const LISTS = ['contains-all', 'contains-any', 'icontains-all', 'icontains-any']
const DEFAULT_THRESHOLDS: Record<string, number> = {
  ...Object.fromEntries(
    [
      ...['answer-relevance', 'classifier', 'context-faithfulness', 'context-recall', 'context-relevance'],
      ...['cost', 'latency', 'levenshtein', 'perplexity-score', 'perplexity', 'rouge-n', 'starts-with'],
    ].map((name) => [name, 0.75]),
  ),
  similar: 0.8,
}
/** promptfoo's names, those that run here and those that don't. */
const NAMES =
  `agent-rubric answer-relevance bleu classifier contains contains-all contains-any contains-html contains-json
  contains-sql contains-xml context-faithfulness context-recall context-relevance conversation-relevance cost equals
  factuality finish-reason g-eval gleu guardrails icontains icontains-all icontains-any is-html is-json is-refusal is-sql
  is-valid-function-call is-valid-openai-function-call is-valid-openai-tools-call is-xml javascript latency levenshtein
  llm-rubric pi meteor model-graded-closedqa model-graded-factuality moderation perplexity perplexity-score python regex
  rouge-n ruby similar similar:cosine similar:dot similar:euclidean starts-with tool-call-f1 skill-used
  trajectory:goal-success trajectory:tool-args-match trajectory:step-count trajectory:tool-sequence trajectory:tool-used
  trace-error-spans trace-span-count trace-span-duration search-rubric webhook word-count`.split(/\s+/)
const NAMED = new RegExp(`^(not-)?(${NAMES.join('|')})(?:\\((\\d+(?:\\.\\d+)?)\\))?(?::([\\s\\S]*))?$`)

/** The assertion that a cell of a table means, as promptfoo reads it: `contains-any:a,b`, `latency(500)`; else `equals`. */
function assertionFromText(cell: string): Fields {
  if (CODE.test(cell)) return { type: 'javascript', value: cell.replace(CODE, '').trim() }
  if (/^file:\/\/.*\.[cm]?[jt]s(:|$)/.test(cell)) return { type: 'javascript', value: cell }
  if (cell.startsWith('python:')) return { type: 'python', value: cell.slice('python:'.length).trim() }
  if (/^file:\/\/.*\.py(:|$)/.test(cell)) return { type: 'python', value: cell }
  const rubric = /^(?:grade|llm-rubric):([\s\S]*)$/.exec(cell)
  if (rubric) return { type: 'llm-rubric', value: rubric[1] }
  const named = NAMED.exec(cell)
  if (named === null) return { type: 'equals', value: cell }
  const [, not = '', name = '', limit, value] = named
  const type = `${not}${name}`
  if (LISTS.includes(name)) return { type, value: value && readList(value) }
  if (name === 'is-json' || name === 'contains-json') return { type, ...(value !== undefined && { value }) }
  const usual = DEFAULT_THRESHOLDS[name]
  const trimmed = value?.trim()
  const threshold = limit === undefined ? usual : Number(limit)
  return {
    type,
    ...(trimmed !== undefined && { value: trimmed }),
    ...(usual !== undefined && { threshold }),
  }
}

function readList(text: string): string[] | string {
  try {
    return readCommaSeparated(text)
  } catch (error) {
    if (error instanceof GradingError) return text
    throw error
  }
}
