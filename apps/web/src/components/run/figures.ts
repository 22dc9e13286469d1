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
