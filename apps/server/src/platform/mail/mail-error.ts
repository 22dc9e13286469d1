/** A mail server that can't be used; its message is one sentence for an administrator, without the password. */
export class MailError extends Error {
  override name = 'MailError'
}

const REASONS: [code: RegExp, message: string][] = [
  [/^EAUTH$/, 'The mail server refused the user or the password in SMTP_URL'],
  [/^(EDNS|ENOTFOUND)$/, 'The name of the mail server could not be found'],
  [/^ECONNREFUSED$/, 'The mail server refused the connection'],
  [/^(ECONNRESET|ECONNECTION)$/, 'The mail server cut the connection'],
  [/^ETIMEDOUT$/, 'The mail server did not answer in time'],
  [/CERT|ISSUER|SELF_SIGNED/, 'The certificate of the mail server is not trusted'],
  [/^(ETLS|ERR_SSL_.*)$/, 'The connection could not be secured: smtps:// is for ports that begin with TLS'],
  [/^EPROTOCOL$/, 'What answered is no mail server that is ready'],
]

/** Says in an administrator's words what nodemailer reports. */
export function toMailError(error: unknown): MailError {
  const { code, originalCode, responseCode } = (error instanceof Error ? error : {}) as {
    code?: string
    /** The socket's or TLS's own, where `code` only says that it was one of them. */
    originalCode?: string
    responseCode?: number
  }
  const [, reason = 'The mail server could not be used'] =
    REASONS.find(([pattern]) => pattern.test(originalCode ?? code ?? '')) ?? []
  const answer = responseCode === undefined ? '' : ` (it answered ${responseCode})`
  return new MailError(reason + answer, { cause: error })
}
