import {
  listServedPromptsQuery,
  noContent,
  servedPrompt,
  servedPromptError,
  servedPromptList,
  servedPromptParams,
  servedPromptQuery,
} from '@catenary/contracts'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { AppError, type ErrorCode } from '../../errors.ts'
import { clientOf } from '../../platform/http/client-name.ts'
import { toAppError } from '../../platform/http/errors/errors.ts'
import { isUnchanged } from '../../platform/http/etag.ts'
import { abortOnDisconnect } from '../../platform/http/event-stream.ts'
import type { HttpApp, Routes } from '../../platform/http/routes.ts'
import type { ServedPrompts } from './served-prompts.service.ts'

const tags = ['prompt server']
/** Cookies count for nothing here, so that no site can borrow a session. */
const config = { crossSiteCheck: false, idempotency: 'off' as const }
const failures = {
  400: servedPromptError,
  401: servedPromptError,
  403: servedPromptError,
  404: servedPromptError,
  429: servedPromptError,
  default: servedPromptError,
}

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
export function promptServerRoutes({ servedPrompts }: { servedPrompts: ServedPrompts }): Routes {
  return (app) => {
    void app.register(
      async (server) => {
        server.setErrorHandler((error: FastifyError, request, reply) =>
          sendFailure({ error, request, reply }),
        )
        server.setNotFoundHandler((request, reply) => {
          const error = new AppError('not_found', 'There is nothing at this address')
          return sendFailure({ error, request, reply })
        })
        fetchRoutes(server, servedPrompts)
        // The web app's files take each address that is read; these are never among them.
        server.get('/*', { schema: { hide: true } }, () => {
          throw new AppError('not_found', 'There is nothing at this address')
        })
      },
      { prefix: '/api/public/v2/prompts' },
    )
  }
}

function fetchRoutes(server: HttpApp, servedPrompts: ServedPrompts): void {
  server.get(
    '/:name',
    {
      config,
      schema: {
        tags,
        summary: 'A version of a prompt, for code that has a read token',
        description:
          'As Langfuse documents it: `Authorization: Basic` with the token as the password (the user name is ' +
          'ignored), or `Bearer`. `X-Prompt-Version` and `X-Prompt-Label` say what was found and by which ' +
          'label; `If-None-Match` is answered with 304.',
        params: servedPromptParams,
        querystring: servedPromptQuery,
        response: { 200: servedPrompt, 304: noContent, ...failures },
      },
    },
    async (request, reply) => {
      const { label, version, resolve } = request.query
      const { prompt, label: foundBy } = await servedPrompts.fetch({
        token: readTokenOf(request),
        client: clientOf(request),
        name: request.params.name,
        choice: readChosen({ label, version }),
        resolve: resolve === 'true',
        signal: abortOnDisconnect(reply),
      })
      reply.header('x-prompt-version', `${prompt.version}`).header('vary', 'authorization')
      if (foundBy !== null) reply.header('x-prompt-label', foundBy)
      const state = JSON.stringify(prompt)
      if (isUnchanged({ request, reply, state, schema: servedPrompt })) return reply.code(304).send()
      return prompt
    },
  )

  server.get(
    '',
    {
      config,
      schema: {
        tags,
        summary: 'What a read token fetches',
        description: 'As Langfuse documents it; by name.',
        querystring: listServedPromptsQuery,
        response: { 200: servedPromptList, ...failures },
      },
    },
    async (request) =>
      servedPrompts.list({ token: readTokenOf(request), client: clientOf(request), query: request.query }),
  )
}

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
