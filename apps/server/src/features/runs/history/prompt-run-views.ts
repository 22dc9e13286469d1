import {
  type ListedPromptRun,
  markCut,
  type PromptRun,
  type Rating,
  type RunAccessLevel,
  valueOrigins,
} from '@catenary/contracts'
import { nanosToUsd } from '@catenary/domain'
import type { listPromptRuns, PromptRunRow } from './prompt-history.sql.ts'

export function toPromptRun(run: PromptRunRow, access: RunAccessLevel): PromptRun {
  const { userId: _, isOpen: __, privateValues, ...shown } = run
  const {
    executedAt,
    inputContent,
    aiResponse,
    resolved,
    attachments,
    textsDeleted,
    thumb,
    note,
    ...others
  } = shown
  const { messages, settings, costNanos, savedNanos, limitWaitMs, fallback, structured, ...rest } = others
  return {
    ...rest,
    ...markCut(rest),
    sight: access,
    usesPrivateValues: privateValues !== false,
    executedAt: executedAt.toISOString(),
    executedPromptContent: inputContent ?? '',
    resolved: valueOrigins.safeParse(resolved).data ?? {},
    attachments: attachments ?? [],
    aiResponse: aiResponse ?? '',
    messages: messages ?? undefined,
    settings: settings ?? undefined,
    limitWaitMs: limitWaitMs || undefined,
    fallback: fallback ?? undefined,
    structured: structured ?? undefined,
    costUsd: nanosToUsd(costNanos),
    savedUsd: nanosToUsd(savedNanos),
    ...(textsDeleted && { textsDeleted }),
    ...toOwnRating({ thumb, note }),
  }
}

export function toListedPromptRun(
  { isClipped, contentBytes, ...run }: Awaited<ReturnType<typeof listPromptRuns>>[number],
  access: RunAccessLevel,
): ListedPromptRun {
  const marks = isClipped &&
    access !== 'figures' && { contentClipped: true as const, contentLength: contentBytes }
  return { ...toPromptRun(run, access), ...marks }
}

export function toOwnRating({ thumb, note }: { thumb: Rating['thumb']; note: string | null }) {
  return note === null ? {} : { rating: { thumb, note } }
}
