import { readCommaSeparated } from '../assertions/comma-separated.ts'
import { GradingError } from '../assertions/finding.ts'
import type { Fields } from './draft.ts'

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
export function assertionFromText(cell: string): Fields {
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
