import type { StructuredAnswer } from '@catenary/contracts'
import type { JsonAnswer } from '../../components/content-viewer/json-answer.ts'

/** What an answer by a schema is shown with; undefined: it is a text. Errors of a repaired answer were before the repair. */
export function jsonAnswerOf(structured: StructuredAnswer | undefined): JsonAnswer | undefined {
  if (structured === undefined) return undefined
  const { isValid, isRepaired, errors, repairs } = structured
  return { isValid, isRepaired, problems: isValid ? [] : errors, repairs }
}
