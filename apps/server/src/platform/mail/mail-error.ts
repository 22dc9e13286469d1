export class MailError extends Error {
  override name = 'MailError'
  /** The server will never take this mail: to try again is of no use. */
  readonly isFinal: boolean
  /** The server was sent the whole of it and did not say whether it took it. */
  readonly mayBeSent: boolean

  constructor(
    message: string,
    {
      isFinal = false,
      mayBeSent = false,
      cause,
    }: { isFinal?: boolean; mayBeSent?: boolean; cause?: unknown } = {},
  ) {
    super(message, { cause })
    this.isFinal = isFinal
    this.mayBeSent = mayBeSent
  }
}

const REASONS: [code: RegExp, message: string][] = [
  [/^EAUTH$/, 'The mail server refused the user or the password in SMTP_URL'],
  [/^(EDNS|ENOTFOUND)$/, 'The name of the mail server could not be found'],
  [/^ECONNREFUSED$/, 'The mail server refused the connection'],
  [/^(ECONNRESET|ECONNECTION)$/, 'The mail server cut the connection'],
  [/^ETIMEDOUT$/, 'The mail server did not answer in time'],
  [/CERT|ISSUER|SELF_SIGNED/, 'The certificate of the mail server is not trusted'],
  [/^(ETLS|ERR_SSL_.*)$/, 'The connection could not be secured: smtps:// is for ports that begin with TLS'],
  [/^EPROTOCOL$/, 'What answered is not a mail server, or it isn’t ready'],
  [/^EENVELOPE$/, 'The mail server refused the address'],
  [/^EMESSAGE$/, 'The mail server rejected the email'],
]

/** Refusals of one mail, which are final where the server says so; all others are of the server. */
const OF_THE_MAIL = new Set(['EENVELOPE', 'EMESSAGE'])

/** `isBegun`: the server has let the text be sent. */
export function toMailError(error: unknown, { isBegun = false }: { isBegun?: boolean } = {}): MailError {
  if (error instanceof MailError) return error
  const {
    code = '',
    originalCode,
    responseCode,
  } = (error instanceof Error ? error : {}) as {
    code?: string
    /** The socket's or TLS's own, where `code` only says that it was one of them. */
    originalCode?: string
    responseCode?: number
  }
  const [, reason = 'The mail server could not be used'] =
    REASONS.find(([pattern]) => pattern.test(originalCode ?? code)) ?? []
  const answer = responseCode === undefined ? '' : ` (it answered ${responseCode})`
  const isFinal = OF_THE_MAIL.has(code) && responseCode !== undefined && responseCode >= 500
  const mayBeSent = isBegun && responseCode === undefined
  return new MailError(reason + answer, { isFinal, mayBeSent, cause: error })
}
