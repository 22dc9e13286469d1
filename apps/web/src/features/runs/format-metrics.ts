import { formatUsd, sumKnown, usdToNanos } from '@catenary/domain'

const count = new Intl.NumberFormat('en-US')

/** `1.8`; a negative time, as of a clock that was set back, is none. */
export function formatSeconds(milliseconds: number): string {
  return (Math.max(0, milliseconds) / 1000).toFixed(1)
}

/** `1,204`; what is not known is a dash. */
export function formatCount(value: number | null): string {
  return value === null ? '–' : count.format(value)
}

/** `$0.0027`; 'unknown' when the price is. */
export function formatCost(usd: number | null): string {
  return formatUsd(usdToNanos(usd))
}

/** The tokens of both ways together; null when neither is known. */
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

/** The difference of two metrics, as `+0.4 s`; empty if one of them is not known. */
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

/** `1.8 s` */
export function formatDuration(milliseconds: number): string {
  return `${formatSeconds(milliseconds)} s`
}
