import type { RunAnswer, RunHandle } from '../../runs/runs.ts'
import { toRunError } from './gateway-error.ts'
import { replyEvents } from './reply-events.ts'
import type { ReplyEvent, ReplyHead } from './wires/wire.ts'

/** An answer that is on its way. */
export interface GatewayAnswer {
  head: ReplyHead
  executionId: number | undefined
  /** Throws a GatewayError where there is none. */
  whole(): Promise<RunAnswer>
  events(): AsyncGenerator<ReplyEvent>
}

/** That of a run, whole or as it is written. */
export function toAnswer({
  head,
  run,
  progress,
}: {
  head: ReplyHead
  run: RunHandle
  progress?: Parameters<typeof replyEvents>[0]['progress']
}): GatewayAnswer {
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
