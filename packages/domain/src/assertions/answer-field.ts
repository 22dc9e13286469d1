import type { GradedAnswer } from '@catenary/contracts'
import { readPath, valueAt } from '../answer-schema/paths.ts'
import { GradingError } from './finding.ts'

/** The answer with a field of it in place of the whole: a text as it is, anything else as JSON. Throws `GradingError`. */
export function fieldOf(answer: GradedAnswer, path: string): GradedAnswer {
  const value = valueAt(parse(answer.text), readPath(path) ?? [])
  if (value === undefined) throw new GradingError(`The answer has no field ${path}`)
  return { ...answer, text: typeof value === 'string' ? value : JSON.stringify(value) }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new GradingError('It is not valid JSON, so it has no fields')
  }
}
