import { AppError, type ErrorCode } from '../../../errors.ts'
import { toAppError } from '../../../platform/http/errors/errors.ts'
import type { HttpError, HttpReply, HttpRequest } from '../../../platform/http/routes.ts'
import type { VersionChoice } from './named-prompts.ts'

/** Each failure as Langfuse's API names it. */
const FAILURES: Partial<Record<ErrorCode, { status: number; error: string }>> = {
  invalid: { status: 400, error: 'InvalidRequestError' },
  unauthenticated: { status: 401, error: 'UnauthorizedError' },
  forbidden: { status: 403, error: 'ForbiddenError' },
  not_found: { status: 404, error: 'LangfuseNotFoundError' },
  too_large: { status: 413, error: 'InvalidRequestError' },
  too_many: { status: 429, error: 'TooManyRequestsError' },
  unavailable: { status: 503, error: 'ServiceUnavailableError' },
}
const UNEXPECTED = { status: 500, error: 'InternalServerError' }

/** Which version is asked for; throws `invalid` for a label and a version. */
export function readChosen({
  label,
  version,
}: {
  label: string | undefined
  version: number | undefined
}): VersionChoice {
  if (label !== undefined && version !== undefined) {
    throw new AppError('invalid', 'Ask for a label or for a version, not for both')
  }
  if (version !== undefined) return { version }
  return label === undefined ? undefined : { label }
}

/** The password of Basic authentication (D50), or the bearer token. */
export function readTokenOf({ headers: { authorization = '' } }: HttpRequest): string | undefined {
  const [, scheme = '', value = ''] = /^(Basic|Bearer) +(\S+) *$/i.exec(authorization) ?? []
  if (scheme.toLowerCase() !== 'basic') return value === '' ? undefined : value
  const [, password] = /^[^:]*:(.*)$/s.exec(Buffer.from(value, 'base64').toString()) ?? []
  return password
}

/** In the form of Langfuse's API. */
export function sendFailure({
  error,
  request,
  reply,
}: {
  error: HttpError | AppError
  request: HttpRequest
  reply: HttpReply
}): HttpReply {
  const known = error instanceof AppError ? error : toAppError(error)
  if (known === undefined) request.log.error({ err: error }, 'request failed')
  const { status, error: name } = (known && FAILURES[known.code]) ?? UNEXPECTED
  if (known?.retryAfter !== undefined) reply.header('retry-after', Math.ceil(known.retryAfter))
  const message = known?.message ?? 'Something went wrong on the server'
  return reply.code(status).header('cache-control', 'no-store').send({ message, error: name })
}
