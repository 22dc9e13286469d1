import type { LimitWait } from '@catenary/contracts'
import { formatDuration } from './format-metrics.ts'

export function limitName({ vendor, isOverload }: Pick<LimitWait, 'vendor' | 'isOverload'>): string {
  return isOverload ? `${vendor}, which is overloaded` : `${vendor}’s rate limit`
}

/** `12 s`; empty once the time is over. */
export function formatLeft({
  wait: { until },
  now,
}: {
  wait: Pick<LimitWait, 'until'>
  now: number
}): string {
  const left = Date.parse(until) - now
  return left > 0 ? `${Math.ceil(left / 1000)} s` : ''
}

/** A shorter wait is none to a person. */
const SHOWN_MS = 100

/** `waited 12.0 s for the rate limit`; empty where it did not. */
export function formatWaited({ limitWaitMs }: { limitWaitMs?: number | undefined }): string {
  return (limitWaitMs ?? 0) >= SHOWN_MS ? `waited ${formatDuration(limitWaitMs ?? 0)} for the rate limit` : ''
}
