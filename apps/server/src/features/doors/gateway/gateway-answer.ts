import { stepTitle } from '@catenary/domain'
import { toDatabaseFailure } from '../../../database/failures/database-failure.ts'
import { AppError } from '../../../errors.ts'
import type { ChainRunHandle, RunAnswer, RunHandle } from '../../runs/runs.ts'
import { GatewayError, toRunError } from './gateway-error.ts'
import type { ReplyEvent, ReplyHead } from './wires/wire.ts'

export interface GatewayAnswer {
  head: ReplyHead
  executionId: number | undefined
  /** Throws a GatewayError where there is none. */
  whole(): Promise<RunAnswer>
  events(): AsyncGenerator<ReplyEvent>
}

interface Followed {
  run: RunHandle
  /** Progress of the steps before the last, if there are any. */
  progress?: { steps: ChainRunHandle['steps']; titles: string[] } | undefined
}

export function toAnswer({ head, run, progress }: Followed & { head: ReplyHead }): GatewayAnswer {
  return {
    head,
    executionId: run.id,
    whole: async () => {
      const ended = await run.outcome
      if (ended.status !== 'completed') throw toRunError(ended)
      return ended.answer
    },
    events: () => replyEvents({ run, progress }),
  }
}

/** The last event is the run's end. */
async function* replyEvents({ run, progress }: Followed): AsyncGenerator<ReplyEvent> {
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

/** An answer in words that no run wrote. */
export function answerInWords(head: ReplyHead, text: string): GatewayAnswer {
  const usage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0, costNanos: 0 }
  const answer = { text, finishReason: 'stop' as const, ...usage }
  return {
    head,
    executionId: undefined,
    whole: async () => answer,
    async *events() {
      yield { type: 'text', text }
      yield { type: 'done', answer }
    },
  }
}
