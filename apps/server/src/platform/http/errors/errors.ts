import type { ErrorDetail } from '@catenary/contracts'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import { toDatabaseFailure } from '../../../database/failures/database-failure.ts'
import { AppError, type ErrorCode } from '../../../errors.ts'
import { WorkRefused } from '../../bounded/work-refused.ts'

const STATUS: Record<ErrorCode, number> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  gone: 410,
  too_large: 413,
  unsupported_type: 415,
  key_reused: 422,
  too_many: 429,
  upstream: 502,
  unavailable: 503,
}

const PARSING: Record<string, AppError> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: new AppError('unsupported_type', 'Send the body as application/json'),
  FST_ERR_CTP_BODY_TOO_LARGE: new AppError('too_large', 'The body is too large'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: new AppError('invalid', 'The Content-Length does not match the body'),
  FST_ERR_BAD_URL: new AppError('invalid', 'The address is not valid'),
}

/** Clients of OAuth look here for what we do not have, and read a code where others read a sentence. */
const WELL_KNOWN = /^\/\.well-known(\/|$)/

export type Explain = (error: unknown) => Promise<AppError | undefined>

export function handleErrors(app: FastifyInstance, { explain }: { explain?: Explain | undefined }): void {
  app.setErrorHandler(async (error: FastifyError, request, reply) =>
    send({ error: toAppError(error) ?? (await explain?.(error)), cause: error, request, reply }),
  )
  app.setNotFoundHandler((request, reply) => {
    const message = WELL_KNOWN.test(request.url) ? 'not_found' : 'There is nothing at this address'
    return send({ error: new AppError('not_found', message), request, reply })
  })
}

export type AnswerUnroutable = (failed: {
  error: FastifyError
  request: FastifyRequest
  reply: FastifyReply
}) => boolean

export function answerUnroutable(answerOwn: AnswerUnroutable = () => false) {
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    reply.header('x-request-id', request.id)
    if (answerOwn({ error, request, reply })) return
    void send({ error: toAppError(error), cause: error, request, reply })
  }
}

export function toAppError(error: FastifyError): AppError | undefined {
  if (error instanceof AppError) return error
  if (error instanceof WorkRefused) return new AppError('invalid', error.message)
  if (hasZodFastifySchemaValidationErrors(error)) return validationError(error)
  const parsing = PARSING[error.code]
  if (parsing !== undefined) return parsing
  if (error instanceof SyntaxError || error.code === 'FST_ERR_CTP_INVALID_JSON_BODY') {
    return new AppError('invalid', 'The body is not valid JSON')
  }
  if (error.statusCode === 429) return new AppError('too_many', error.message)
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return new AppError('invalid', error.message)
  }
  return toDatabaseFailure(error)
}

interface ZodValidation {
  validation: { instancePath: string; message?: string }[]
}

const DETAILS_MAX = 20
const PATH_MAX = 200

function validationError(error: ZodValidation): AppError {
  const details: ErrorDetail[] = error.validation.slice(0, DETAILS_MAX).map((issue) => ({
    path: issue.instancePath
      .slice(1, 1 + PATH_MAX)
      .toWellFormed()
      .replaceAll('/', '.'),
    message: issue.message ?? 'Invalid',
  }))
  return new AppError('invalid', details[0]?.message ?? 'Invalid request', { details })
}

interface Failure {
  error: AppError | undefined
  cause?: unknown
  request: FastifyRequest
  reply: FastifyReply
}

function send({ error, cause, request, reply }: Failure): FastifyReply {
  if (error === undefined) {
    request.log.error({ err: cause }, 'request failed')
    return reply.code(500).send(toErrorBody(undefined))
  }
  if (error.retryAfter !== undefined) reply.header('retry-after', Math.ceil(error.retryAfter))
  return reply.code(STATUS[error.code]).send(toErrorBody(error))
}

export function toErrorBody(error: AppError | undefined): {
  error: string
  details?: unknown
  code?: string
} {
  if (error === undefined) return { error: 'Something went wrong on the server' }
  const { message, details, reason } = error
  return {
    error: message,
    ...(details === undefined ? {} : { details }),
    ...(reason === undefined ? {} : { code: reason }),
  }
}
