import type { ForEach } from '@catenary/contracts'
import { isJson } from '../json/json-tokens.ts'

interface Answers {
  answers: readonly string[]
  result: ForEach['result']
  /** Each is JSON by a schema; else an object or a list counts as JSON, and anything else as a text. */
  areJson?: boolean
}

/** What the answers for the items of a list make together; digits and the order of keys stay (D70). */
export function joinAnswers({ answers, result, areJson = false }: Answers): string {
  if (result === 'text') return answers.join('\n\n')
  return `[${answers.map((answer) => toElement(answer, areJson)).join(',')}]`
}

function toElement(answer: string, areJson: boolean): string {
  const trimmed = answer.trim()
  const mayBeJson = areJson || /^[[{]/.test(trimmed)
  return mayBeJson && isJson(trimmed) ? trimmed : JSON.stringify(answer)
}
