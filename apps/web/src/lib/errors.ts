import type * as z from 'zod'

export class ApiError extends Error {
  readonly status: number
  readonly text: string
  readonly body: unknown

  constructor({ status, text, body }: { status: number; text: string; body?: unknown }) {
    super(`${status}: ${text}`)
    this.name = 'ApiError'
    this.status = status
    this.text = text
    this.body = body
  }

  get details(): unknown {
    return isRecord(this.body) ? this.body.details : undefined
  }
}

export function conflictOf<Schema extends z.ZodType>({
  error,
  schema,
}: {
  error: unknown
  schema: Schema
}): z.output<Schema> | undefined {
  if (!(error instanceof ApiError) || error.status !== 409) return undefined
  return schema.safeParse(error.details).data
}

export class MisunderstoodError extends Error {
  constructor(cause: unknown) {
    super('The server’s answer was not understood. Reload the page and try again.', { cause })
    this.name = 'MisunderstoodError'
  }
}

/** What was requested does not exist, or is not visible to this person. */
export function isGone(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 404 || error.status === 400)
}

export class RequestTimeoutError extends Error {
  constructor(milliseconds: number) {
    super(`Request timeout: no answer within ${milliseconds / 1000} seconds`)
    this.name = 'RequestTimeoutError'
  }
}

/** Each browser has a sentence of its own for it, and none is for people. */
export class ConnectionError extends Error {
  constructor(cause: unknown) {
    super(navigator.onLine ? 'The server could not be reached.' : 'You are offline.', { cause })
    this.name = 'ConnectionError'
  }
}

/** The request may not have reached the server: worth one more try. */
export function isNetworkFailure(error: unknown): boolean {
  return error instanceof RequestTimeoutError || error instanceof ConnectionError
}

export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError'
}

/** An error's cause for a sentence such as 'Failed to create category: {reason}'. */
export function errorReason(error: unknown): string {
  if (error instanceof ApiError) return error.text
  return errorMessage(error)
}

export function errorMessage(error: unknown, fallback = 'Unknown error'): string {
  return error instanceof Error && error.message !== '' ? error.message : fallback
}

/** The text of a failed reply: error, message, details, the whole body, plain text, status text. */
export function replyErrorText(reply: { body: unknown; text: string; statusText: string }): string {
  const { body, text, statusText } = reply
  if (isRecord(body)) {
    for (const key of ['error', 'message', 'details']) {
      const value = body[key]
      if (value) return typeof value === 'string' ? value : (sentencesOf(value) ?? JSON.stringify(value))
    }
  }
  if (body !== undefined) return JSON.stringify(body)
  return text || statusText
}

function sentencesOf(value: unknown): string | undefined {
  if (!Array.isArray(value)) return undefined
  const sentences = value.map((issue: unknown) => (isRecord(issue) ? issue.message : undefined))
  return sentences.every((each) => typeof each === 'string') ? sentences.join(' ') : undefined
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
