import {
  type ListedPromptExecution,
  type PromptExecution,
  type Rating,
  valueOrigins,
} from '@catenary/contracts'
import { nanosToUsd } from '@catenary/domain'
import type { listPromptRuns, PromptRunRow } from './prompt-history.repository.ts'

/** A run of a prompt, whole. */
export function toPromptExecution(run: PromptRunRow): PromptExecution {
  const { userId: _, ...shown } = run
  const { executedAt, inputContent, aiResponse, resolved, costNanos, textsDeleted, thumb, note, ...rest } =
    shown
  return {
    ...rest,
    executedAt: executedAt.toISOString(),
    executedPromptContent: inputContent ?? '',
    resolved: valueOrigins.safeParse(resolved).data ?? {},
    aiResponse: aiResponse ?? '',
    costUsd: nanosToUsd(costNanos),
    ...(textsDeleted && { textsDeleted }),
    ...toOwnRating({ thumb, note }),
  }
}

/** A run of a prompt in its history. */
export function toListedPromptExecution({
  isClipped,
  contentBytes,
  ...run
}: Awaited<ReturnType<typeof listPromptRuns>>[number]): ListedPromptExecution {
  const marks = isClipped && { contentClipped: true as const, contentLength: contentBytes }
  return { ...toPromptExecution(run), ...marks }
}

/** As a history's card has it. */
export function toOwnRating({ thumb, note }: { thumb: Rating['thumb']; note: string | null }) {
  return note === null ? {} : { rating: { thumb, note } }
}
