export type OutboundErrorCode =
  | 'invalid_url'
  | 'blocked'
  | 'unreachable'
  | 'timeout'
  | 'too_large'
  | 'unsupported_type'
  | 'too_many_redirects'
  | 'bad_status'
  | 'bad_content'
  | 'aborted'

/** A fetch without a result; its message is one sentence for a person, without address, header or query. */
export class OutboundError extends Error {
  override name = 'OutboundError'
  readonly code: OutboundErrorCode

  constructor(code: OutboundErrorCode, message: string, options: { cause?: unknown } = {}) {
    super(message, options)
    this.code = code
  }
}
