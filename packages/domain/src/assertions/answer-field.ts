import type { GradedAnswer } from '@catenary/contracts'
import { readPath } from '../answer-schema/paths.ts'
import { readJsonText, sayJson } from '../json/json-at.ts'
import { GradingError } from './finding.ts'

/** The answer with a field of it in place of the whole: a text as it is, anything else as the JSON that stands there. Throws `GradingError`. */
export function fieldOf(answer: GradedAnswer, path: string): GradedAnswer {
  const json = readJsonText(answer.text)
  if (json === undefined) throw new GradingError('It is not valid JSON, so it has no fields')
  const found = json.at(readPath(path) ?? [])
  if (found === undefined) throw new GradingError(`The answer has no field ${path}`)
  return { ...answer, text: sayJson(found) }
}
