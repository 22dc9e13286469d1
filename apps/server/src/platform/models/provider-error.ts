import { textOf } from './wire.ts'

/** What a provider refused a call with: a failed reply, or an error inside one that began well. */
export class ProviderError extends Error {
  readonly status: number
  /** Searched for keywords; never shown. */
  readonly body: string
  readonly headers: Record<string, string | string[] | undefined>

  constructor({
    status,
    body,
    headers = {},
  }: {
    status: number
    body: string
    headers?: Record<string, string | string[] | undefined>
  }) {
    super(sentenceIn(body))
    this.status = status
    this.body = body
    this.headers = headers
  }
}

/** The answer ended without its API saying that it was whole. */
export class InterruptedError extends Error {
  readonly code = 'ANSWER_INTERRUPTED'
}

/** The vendors' words for failures that come without a status. */
const STATUS_OF_WORD: [RegExp, number][] = [
  [/quota|rate_limit|exhausted/i, 429],
  [/authenticat|api_key/i, 401],
  [/permission/i, 403],
  [/not_found/i, 404],
  [/invalid|bad_request|context_length|too_large|billing/i, 400],
  [/timeout|deadline/i, 504],
  [/overload|unavailable/i, 503],
]

/** The error that an API reports inside a reply. */
export function reportedError(error: unknown): ProviderError {
  const { code, type, status } = Object(error) as Record<string, unknown>
  const words = `${String(code)} ${String(type)} ${String(status)}`
  const byWord = STATUS_OF_WORD.find(([word]) => word.test(words))?.[1] ?? 500
  const byCode = Number(code)
  return new ProviderError({
    status: byCode >= 400 && byCode < 600 ? byCode : byWord,
    body: JSON.stringify({ error }),
  })
}

/** The vendor's sentence, where the body is of a shape in use. */
function sentenceIn(body: string): string {
  try {
    const { error, message } = Object(JSON.parse(body)) as Record<string, unknown>
    return textOf((Object(error) as Record<string, unknown>).message ?? message ?? error)
  } catch {
    return ''
  }
}
