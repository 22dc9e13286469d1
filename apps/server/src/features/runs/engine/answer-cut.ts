import type { FinishReason } from '@catenary/contracts'
import { ModelError } from '../../../platform/models/model-error.ts'
import type { Answered } from './schema-answers/answer-by-schema.ts'

const CUT_BY: Partial<Record<FinishReason, string>> = {
  length: 'The answer was cut off at the model’s token limit',
}

export type StepAnswered = ReturnType<typeof toAnswered>

export const toAnswered = ({ provider, modelId, finishReason, fallback, firstTokenMs }: Answered) => ({
  provider,
  modelId,
  finishReason,
  fallback,
  firstTokenMs: Math.round(firstTokenMs),
})

export class AnswerCutError extends ModelError {
  readonly answer: Answered

  constructor({ alias, answer }: { alias: string; answer: Answered }) {
    const { finishReason, inputTokens, outputTokens, cachedTokens, costNanos, savedNanos } = answer
    const cut = CUT_BY[finishReason] ?? 'The answer ended for an unknown reason, so it may be cut off'
    super({
      code: 'answer_cut',
      alias,
      message: `${cut}, and this chain is set to stop when that happens. Give the step more tokens, or resume the run.`,
      used: { inputTokens, outputTokens, cachedTokens, costNanos, savedNanos },
    })
    this.answer = answer
  }
}
