import { expect, it } from 'vitest'
import { askedWait } from './asked-wait.ts'

const NOW = Date.parse('2026-11-24T09:00:00Z')
const SECOND = 1_000
const DAY = 86_400 * SECOND

const gemini = (retryDelay: unknown) =>
  JSON.stringify({
    error: {
      code: 429,
      details: [
        { '@type': 'type.googleapis.com/google.rpc.Help' },
        { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay },
      ],
    },
  })

it.each<{
  says: string
  headers?: Record<string, string>
  body?: string
  status?: number
  ms: number | undefined
}>([
  { says: 'nothing', ms: undefined },
  { says: 'seconds', headers: { 'retry-after': '12' }, ms: 12 * SECOND },
  { says: 'parts of a second', headers: { 'retry-after': '1.5' }, ms: 1_500 },
  { says: 'a date', headers: { 'retry-after': 'Tue, 24 Nov 2026 09:02:00 GMT' }, ms: 120 * SECOND },
  { says: 'a date that is past', headers: { 'retry-after': 'Tue, 24 Nov 2026 08:00:00 GMT' }, ms: 0 },
  { says: 'milliseconds', headers: { 'retry-after-ms': '40', 'retry-after': '1' }, ms: 40 },
  { says: 'a month', headers: { 'retry-after': '2592000' }, ms: DAY },
  { says: 'nonsense', headers: { 'retry-after': 'soon' }, ms: undefined },
  { says: 'when requests are free again', headers: { 'x-ratelimit-reset-requests': '120ms' }, ms: 120 },
  {
    says: 'the later of two resets',
    headers: { 'x-ratelimit-reset-requests': '1s', 'x-ratelimit-reset-tokens': '6.5s' },
    ms: 6_500,
  },
  { says: 'a reset that is far away', headers: { 'x-ratelimit-reset-tokens': '1h6m0s' }, ms: 30 * SECOND },
  { says: 'a reset without a unit', headers: { 'x-ratelimit-reset-tokens': '10' }, ms: 10 * SECOND },
  {
    says: 'the date of a reset',
    headers: { 'anthropic-ratelimit-input-tokens-reset': '2026-11-24T09:00:20Z' },
    ms: 20 * SECOND,
  },
  {
    says: 'both, of which its own word counts',
    headers: { 'retry-after': '40', 'anthropic-ratelimit-requests-reset': '2026-11-24T09:00:20Z' },
    ms: 40 * SECOND,
  },
  {
    says: 'a reset though it is overloaded',
    status: 529,
    headers: { 'anthropic-ratelimit-requests-reset': '2026-11-24T09:00:20Z' },
    ms: undefined,
  },
  { says: 'a delay in the body', body: gemini('34.5s'), ms: 34_500 },
  { says: 'a delay in a list', body: `[${gemini('7s')}]`, ms: 7 * SECOND },
  { says: 'a delay of another form', body: gemini({ seconds: 7 }), ms: undefined },
  { says: 'a delay in what is no JSON', body: `${gemini('7s')}}`, ms: undefined },
])(
  '`Retry-After` and Gemini’s `retryDelay` count in full; a reset header 30 s at most. ($says)',
  ({ headers = {}, body = '', status = 429, ms }) => {
    expect(askedWait({ refusal: { status, headers, body }, now: NOW })).toBe(ms)
  },
)
