import type { StructuredAnswer } from '@catenary/contracts'
import { ModelError } from '../../../../platform/models/model-error.ts'
import type { ModelUsage } from '../../../../platform/models/model-types.ts'

/** The message quotes so many; all are kept with the step. */
const TOLD = 3

interface InvalidAnswer extends Pick<StructuredAnswer, 'errors' | 'isRepaired'> {
  alias: string
  text: string
  used: ModelUsage
  /** It matches the schema of its own output, and only its caller's does not fit. */
  isCallers?: boolean | undefined
  repairFailure?: string
}

export class AnswerInvalidError extends ModelError {
  readonly text: string
  readonly structured: StructuredAnswer

  constructor({ alias, text, used, errors, isRepaired, isCallers, repairFailure }: InvalidAnswer) {
    const told = errors.slice(0, TOLD).map(({ message }) => message)
    const more = errors.length > TOLD ? `, and ${errors.length - TOLD} more` : ''
    const unmet = isCallers
      ? 'The answer matches the schema of its output, but not the one in the request'
      : 'The answer does not match the schema of its output'
    const second = repairFailure === undefined ? '' : ` It could not be repaired: ${repairFailure}`
    const { inputTokens, outputTokens, cachedTokens, costNanos, savedNanos } = used
    super({
      code: 'answer_invalid',
      alias,
      message: `${unmet}: ${told.join('; ')}${more}.${second}`,
      used: { inputTokens, outputTokens, cachedTokens, costNanos, savedNanos },
    })
    this.text = text
    this.structured = { isValid: false, isRepaired, errors, repairs: [] }
  }
}
