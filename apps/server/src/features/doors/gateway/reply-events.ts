import { stepTitle } from '@catenary/domain'
import { toDatabaseFailure } from '../../../database/failures/database-failure.ts'
import { AppError } from '../../../errors.ts'
import type { ChainRunHandle, RunHandle } from '../../runs/runs.ts'
import { GatewayError, toRunError } from './gateway-error.ts'
import type { ReplyEvent } from './wires/wire.ts'

/** What becomes of a run, as a stream tells it; its end is the last event. */
export async function* replyEvents({
  run,
  progress,
}: {
  run: RunHandle
  /** Progress of the steps before the last, if there are any. */
  progress?: { steps: ChainRunHandle['steps']; titles: string[] } | undefined
}): AsyncGenerator<ReplyEvent> {
  try {
    if (progress) {
      const { steps, titles } = progress
      for await (const position of steps.read()) {
        if (position < titles.length - 1) yield { type: 'progress', text: progressOf({ position, titles }) }
      }
    }
    for await (const text of run.text.read()) yield { type: 'text', text }
  } catch (error) {
    const known = error instanceof AppError ? error : toDatabaseFailure(error)
    if (known === undefined) throw error
    yield { type: 'failed', error: new GatewayError('overloaded', known.message, { isFinal: true }) }
    return
  }
  const outcome = await run.outcome
  if (outcome.status === 'completed') yield { type: 'done', answer: outcome.answer }
  else yield { type: 'failed', error: toRunError(outcome) }
}

function progressOf({ position, titles }: { position: number; titles: string[] }): string {
  return `Step ${position + 1} of ${titles.length}: ${stepTitle({ title: titles[position] ?? '' })}\n`
}

/** The events of an answer that needed no run. */
export async function* eventsOfText(text: string): AsyncGenerator<ReplyEvent> {
  yield { type: 'text', text }
  yield { type: 'done', answer: answerOf(text) }
}

export function answerOf(text: string) {
  const usage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0, costNanos: 0 }
  return { text, finishReason: 'stop' as const, ...usage }
}
