/** What a provider refused a call with: a failed reply, or an error inside one that began well. Its message is the vendor's sentence. */
export class ProviderError extends Error {
  readonly status: number
  /** Searched for keywords; never shown. */
  readonly body: string
  readonly headers: Record<string, string | string[] | undefined>

  constructor({
    status,
    body,
    message,
    headers = {},
  }: {
    status: number
    body: string
    message: string
    headers?: Record<string, string | string[] | undefined>
  }) {
    super(message)
    this.status = status
    this.body = body
    this.headers = headers
  }
}

/** The answer ended without its API saying that it was whole. */
export class InterruptedError extends Error {
  readonly code = 'ANSWER_INTERRUPTED'
}

/** The API itself said that the answer broke off; its message is the vendor's word. */
export class BrokenOffError extends Error {}

export class UnknownFormError extends Error {}
