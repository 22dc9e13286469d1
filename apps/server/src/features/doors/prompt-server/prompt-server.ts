import { promptServerApi, servedPrompt, type User } from '@catenary/contracts'
import { AppError, type ErrorCode } from '../../../errors.ts'
import type { Context } from '../../../platform/context.ts'
import { clientOf } from '../../../platform/http/client-name.ts'
import { handlers } from '../../../platform/http/endpoints.ts'
import { toAppError } from '../../../platform/http/errors/errors.ts'
import { isUnchanged } from '../../../platform/http/etag.ts'
import type { HttpError, HttpReply, HttpRequest, Routes } from '../../../platform/http/routes.ts'
import { admitToken, grantOf } from '../../tokens/tokens.ts'
import type { VersionChoice } from './named-prompts.ts'
import { fetchPrompt, listServed } from './served-prompts.ts'

export {
  findNamedPrompt,
  findNamedPromptById,
  type NamedVersion,
  othersTextOf,
  readChoice,
} from './named-prompts.ts'
export { renderWithin, toServedText } from './served-prompts.ts'

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

const LIST = 'GET /api/public/v2/prompts'

const serveFetches = handlers(promptServerApi, {
  'GET /api/public/v2/prompts/{name}': async (ctx, { params, query, signal, request, reply }) => {
    const { label, version, resolve } = query
    const { prompt, label: foundBy } = await fetchPrompt(ctx, {
      grant: grantOf(request),
      client: clientOf(request),
      name: params.name,
      choice: readChosen({ label, version }),
      resolve: resolve === undefined ? undefined : resolve === 'true',
      signal,
    })
    reply.header('x-prompt-version', `${prompt.version}`).header('vary', 'authorization')
    if (foundBy !== null) reply.header('x-prompt-label', foundBy)
    const state = JSON.stringify(prompt)
    if (isUnchanged({ request, reply, state, schema: servedPrompt })) return reply.code(304).send()
    return prompt
  },
  [LIST]: (ctx, { query, request }) =>
    listServed(ctx, { grant: grantOf(request), client: clientOf(request), query }),
})

/** Whose read token a call shows. Throws `forbidden` for another kind. */
export const admitReader = (ctx: Context, request: HttpRequest): Promise<User> =>
  admitToken(ctx, {
    request,
    token: readTokenOf(request),
    require: ({ abilities }) => {
      if (abilities.has('read')) return
      const message = 'This token is for chains or agents. Fetch prompts with a read token.'
      throw new AppError('forbidden', message)
    },
  })

/** Prompts for everyone's code, in the wire that Langfuse documents. */
export const servePromptServer: Routes = (app, edge) => {
  void app.register(async (server) => {
    server.setErrorHandler((error: HttpError, request, reply) => sendFailure({ error, request, reply }))
    serveFetches(server, edge)
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

const nothingHere = () => new AppError('not_found', 'There is nothing at this address')

/** Throws `invalid` for a label and a version together. */
function readChosen({
  label,
  version,
}: {
  label: string | undefined
  version: number | undefined
}): VersionChoice {
  if (label !== undefined && version !== undefined) {
    throw new AppError('invalid', 'Ask for either a label or a version')
  }
  if (version !== undefined) return { version }
  return label === undefined ? undefined : { label }
}

/** The password of Basic authentication (D50), or the bearer token. */
function readTokenOf({ headers: { authorization = '' } }: HttpRequest): string | undefined {
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
  error: HttpError | AppError
  request: HttpRequest
  reply: HttpReply
}): HttpReply {
  const known = toAppError(error)
  if (known === undefined) request.log.error({ err: error }, 'request failed')
  const { status, error: name } = (known && FAILURES[known.code]) ?? UNEXPECTED
  if (known?.retryAfter !== undefined) reply.header('retry-after', Math.ceil(known.retryAfter))
  const message = known?.message ?? 'Something went wrong on the server'
  return reply.code(status).header('cache-control', 'no-store').send({ message, error: name })
}
