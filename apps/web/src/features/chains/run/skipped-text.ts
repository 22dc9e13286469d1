import type { RunStep, StepState } from '@catenary/contracts'
import { asSentence } from '../../../lib/text/as-sentence.ts'
import { plainExcerpt } from '../../../lib/text/plain-markdown.ts'

const EXCERPT_LENGTH = 200

/** Why a step was skipped, and what went on instead of its answer. */
export function skippedText(
  { skipReason }: Pick<StepState, 'skipReason'>,
  step: Pick<RunStep, 'aiResponse'> | undefined,
): string {
  const instead = plainExcerpt({ text: step?.aiResponse ?? '', max: EXCERPT_LENGTH })
  const reason = skipReason ? asSentence(skipReason) : ''
  return [reason, instead && `Output: ${instead}`].filter(Boolean).join(' ')
}
