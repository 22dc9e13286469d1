import type { Context } from '../../../platform/context.ts'
import type { RunOutcome } from '../../runs/runs.ts'
import { addUse } from '../../tokens/tokens.ts'

const nothing = { inputTokens: 0, outputTokens: 0, costNanos: 0 }

/** Counts a call that ran something, once its run has ended. */
export function countOutcome(
  ctx: Context,
  { tokenId, outcome, client }: { tokenId: number; outcome: RunOutcome; client?: string | undefined },
): void {
  const isDone = outcome.status === 'completed'
  const { inputTokens, outputTokens, costNanos } = (isDone ? outcome.answer : outcome.used) ?? nothing
  const failed = isDone || outcome.status === 'cancelled' ? undefined : outcome
  addUse(ctx, {
    tokenId,
    client,
    calls: 1,
    inputTokens: inputTokens ?? 0,
    outputTokens: outputTokens ?? 0,
    costNanos: costNanos ?? 0,
    error: failed && { message: failed.message, code: failed.code },
  })
}
