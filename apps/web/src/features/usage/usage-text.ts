import { formatUsd, usdToNanos } from '@catenary/domain'
import { formatTime } from '../../lib/text/format-time.ts'

const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumSignificantDigits: 3 })

/** `Nov 18`, of a day as `2026-11-18`. */
export const dayText = (date: string): string => formatTime({ time: date, as: 'shortDay', timeZone: 'UTC' })

export const longDayText = (date: string): string =>
  formatTime({ time: date, as: 'weekday', timeZone: 'UTC' })

export const monthText = (date: Date): string => formatTime({ time: date, as: 'month', timeZone: 'UTC' })

/** `6.84M`; exact below a thousand. */
export const compactCount = (count: number): string => compact.format(count)

/** `$38.26`; nothing is `$0`. */
export const moneyText = (usd: number): string => (usd === 0 ? '$0' : formatUsd(usdToNanos(usd)))

export function timeText(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`
  return ms < 100_000 ? `${(ms / 1_000).toFixed(1)} s` : `${Math.round(ms / 1_000)} s`
}

/** `+18 %`, `−4 %`, `no change`; undefined if there was nothing before. */
export function changeText(now: number, before: number): string | undefined {
  if (before === 0) return undefined
  const percent = Math.round(((now - before) / before) * 100)
  return percent === 0 ? '±0 %' : `${signed(percent)} %`
}

export const signed = (value: number): string => (value < 0 ? `−${Math.abs(value)}` : `+${value}`)

const REASONS: Record<string, string> = {
  model_not_configured: 'Model not set up',
  model_key: 'API key refused',
  model_quota: 'Quota of the provider',
  model_unavailable: 'Provider unavailable',
  model_timeout: 'Took too long',
  model_malformed: 'Unreadable answer',
  model_too_long: 'Answer too long',
  model_refused: 'Model declined',
  model_rejected: 'Request not accepted',
  model_unable: 'Setting the model doesn’t support',
  model_unpriced: 'Model without a price',
  budget_spent: 'Budget spent',
  value_missing: 'Value missing',
  private_values: 'Private value not allowed',
  input_empty: 'Nothing to send',
  input_too_long: 'Text too long',
  server_stopped: 'Server stopped',
  server_broke_off: 'Interrupted on the server',
  account_disabled: 'Account disabled',
  internal: 'Server error',
}

/** Why runs failed, in words; one that is not known is shown as it is. */
export const reasonText = (code: string): string => REASONS[code] ?? code.replaceAll('_', ' ')
