import { promptServerApi, servedPrompt } from '@catenary/contracts'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { AppError, type ErrorCode } from '../../errors.ts'
import { clientOf } from '../../platform/http/client-name.ts'
import { handlers } from '../../platform/http/endpoints.ts'
import { toAppError } from '../../platform/http/errors/errors.ts'
import { isUnchanged } from '../../platform/http/etag.ts'
import type { Routes } from '../../platform/http/routes.ts'
import type { ServedPrompts } from './served-prompts.service.ts'

const LIST = 'GET /api/public/v2/prompts'

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

/** Prompts for everyone's code, in the wire that Langfuse documents. */
export function promptServerRoutes(deps: { servedPrompts: ServedPrompts }): Routes {
  return (app, edge) => {
    void app.register(async (server) => {
      server.setErrorHandler((error: FastifyError, request, reply) => sendFailure({ error, request, reply }))
      fetchRoutes(deps)(server, edge)
      void server.register(
        async (others) => {
          others.setNotFoundHandler((request, reply) => sendFailure({ error: nothingHere(), request, reply }))
          // The web app's files take each address that is read; these are never among them.
          others.get('/*', { schema: { hide: true } }, () => {
            throw nothingHere()
          })
        },
        { prefix: LIST.slice('GET '.length) },
      )
    })
  }
}

const nothingHere = () => new AppError('not_found', 'There is nothing at this address')

const fetchRoutes = ({ servedPrompts }: { servedPrompts: ServedPrompts }): Routes =>
  handlers(promptServerApi, {
    'GET /api/public/v2/prompts/{name}': async (_, { params, query, signal, request, reply }) => {
      const { label, version, resolve } = query
      const { prompt, label: foundBy } = await servedPrompts.fetch({
        token: readTokenOf(request),
        client: clientOf(request),
        name: params.name,
        choice: readChosen({ label, version }),
        resolve: resolve === 'true',
        signal,
      })
      reply.header('x-prompt-version', `${prompt.version}`).header('vary', 'authorization')
      if (foundBy !== null) reply.header('x-prompt-label', foundBy)
      const state = JSON.stringify(prompt)
      if (isUnchanged({ request, reply, state, schema: servedPrompt })) return reply.code(304).send()
      return prompt
    },
    [LIST]: (_, { query, request }) =>
      servedPrompts.list({ token: readTokenOf(request), client: clientOf(request), query }),
  })

function readChosen({ label, version }: { label: string | undefined; version: number | undefined }) {
  if (label !== undefined && version !== undefined) {
    throw new AppError('invalid', 'Ask for a label or for a version, not for both')
  }
  if (version !== undefined) return { version }
  return label === undefined ? undefined : { label }
}

/** The password of Basic authentication (D50), or the bearer token. */
export function readTokenOf({ headers: { authorization = '' } }: FastifyRequest): string | undefined {
  const [, scheme = '', value = ''] = /^(Basic|Bearer) +(\S+) *$/i.exec(authorization) ?? []
  if (scheme.toLowerCase() !== 'basic') return value === '' ? undefined : value
  const [, password] = /^[^:]*:(.*)$/s.exec(Buffer.from(value, 'base64').toString()) ?? []
  return password
}

function sendFailure({
  error,
  request,
  reply,
}: {
  error: FastifyError | AppError
  request: FastifyRequest
  reply: FastifyReply
}): FastifyReply {
  const known = error instanceof AppError ? error : toAppError(error)
  if (known === undefined) request.log.error({ err: error }, 'request failed')
  const { status, error: name } = (known && FAILURES[known.code]) ?? UNEXPECTED
  if (known?.retryAfter !== undefined) reply.header('retry-after', Math.ceil(known.retryAfter))
  const message = known?.message ?? 'Something went wrong on the server'
  return reply.code(status).header('cache-control', 'no-store').send({ message, error: name })
}
