/** What a model charges, in US dollars for a million tokens. */
export interface ModelPrice {
  inputPerMillionUsd: number
  outputPerMillionUsd: number
  /** For input that is read from a cache; absent: as other input. */
  cachedInputPerMillionUsd?: number | undefined
}

/** What a call took; what was read from a cache, or written to one, is part of the input. */
interface TokenCounts {
  inputTokens: number | null
  outputTokens: number | null
  cachedTokens?: number | null
  cacheWriteTokens?: number | null
}

/** Anthropic, for five minutes, and OpenAI since GPT-5.6 charge a quarter more for input that they keep; others report no such tokens. */
const CACHE_WRITE_SHARE = 1.25
const NANOS_PER_USD = 1_000_000_000
const PICOS_PER_NANO = 1_000
const SMALLEST_SHOWN_NANOS = 100_000

/** Cost in whole nano-dollars, rounded once; null when the price or a count is unknown or unusable. */
export function costNanos({
  inputTokens,
  outputTokens,
  cachedTokens = 0,
  cacheWriteTokens = 0,
  price,
}: TokenCounts & { price: ModelPrice | null }): number | null {
  if (price === null || !isCount(inputTokens) || !isCount(outputTokens)) return null
  const { inputPerMillionUsd: input, cachedInputPerMillionUsd: cachedInput = input } = price
  const picos =
    inputTokens * picosPerToken(input) +
    outputTokens * picosPerToken(price.outputPerMillionUsd) -
    (cachedTokens ?? 0) * (picosPerToken(input) - picosPerToken(cachedInput)) +
    (cacheWriteTokens ?? 0) * (picosPerToken(input * CACHE_WRITE_SHARE) - picosPerToken(input))
  const nanos = Math.round(picos / PICOS_PER_NANO)
  return isCount(nanos) ? nanos : null
}

/** How much less a call cost than without a cache; below zero where it wrote more than it read. */
export function savedNanos(call: TokenCounts & { price: ModelPrice | null }): number | null {
  const { inputTokens, outputTokens, price } = call
  const cost = costNanos(call)
  const plain = costNanos({ inputTokens, outputTokens, price })
  return cost === null || plain === null ? null : plain - cost
}

/** A price of one dollar for a million tokens is a million pico-dollars a token: whole numbers, no drift. */
function picosPerToken(perMillionUsd: number): number {
  return perMillionUsd >= 0 ? Math.round(perMillionUsd * 1_000_000) : Number.NaN
}

function isCount(value: number | null): value is number {
  return value !== null && Number.isSafeInteger(value) && value >= 0
}

const usd = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
  minimumSignificantDigits: 2,
  maximumSignificantDigits: 2,
  roundingPriority: 'morePrecision',
})

export function nanosToUsd(nanos: number | null): number | null {
  return nanos === null ? null : nanos / NANOS_PER_USD
}

export function usdToNanos(usd: number | null): number | null {
  return usd === null ? null : Math.round(usd * NANOS_PER_USD)
}

/** Shows a cost in cents or, below a dollar, in two significant digits: `$12.50`, `$0.0027`, `unknown`. */
export function formatUsd(nanos: number | null): string {
  if (nanos === null) return 'unknown'
  if (nanos > 0 && nanos < SMALLEST_SHOWN_NANOS) return '<$0.0001'
  return usd.format(nanos / NANOS_PER_USD)
}
