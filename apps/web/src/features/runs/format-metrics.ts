import { formatUsd, sumKnown, usdToNanos } from '@catenary/domain'

const count = new Intl.NumberFormat('en-US')

/** `1.8`; a negative time, as of a clock that was set back, is none. */
export function formatSeconds(milliseconds: number): string {
  return (Math.max(0, milliseconds) / 1000).toFixed(1)
}

export function formatCount(value: number | null): string {
  return value === null ? '–' : count.format(value)
}

export function formatCost(usd: number | null): string {
  return formatUsd(usdToNanos(usd))
}

export function sumTokens({
  inputTokens,
  outputTokens,
}: {
  inputTokens: number | null
  outputTokens: number | null
}): number | null {
  return sumKnown([inputTokens, outputTokens])
}

/** `cached 78 %, saved $0.011`; empty where nothing was read from a cache. */
export function formatCached({
  inputTokens,
  cachedTokens,
  savedUsd,
}: {
  inputTokens: number | null
  cachedTokens: number | null
  savedUsd: number | null
}): string {
  if (!cachedTokens || !inputTokens) return ''
  const part = `cached ${Math.round((cachedTokens / inputTokens) * 100)} %`
  return savedUsd !== null && savedUsd > 0 ? `${part}, saved ${formatCost(savedUsd)}` : part
}

export function formatDifference({
  before,
  after,
  format,
}: {
  before: number | null
  after: number | null
  format: (value: number) => string
}): string {
  if (before === null || after === null) return ''
  const size = format(Math.abs(after - before))
  if (size === format(0)) return 'the same'
  return `${after < before ? '−' : '+'}${size}`
}

export function formatDuration(milliseconds: number): string {
  return `${formatSeconds(milliseconds)} s`
}
