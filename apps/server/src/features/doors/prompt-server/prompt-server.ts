import { promptServerApi, servedPrompt, type User } from '@catenary/contracts'
import { AppError } from '../../../errors.ts'
import type { Context } from '../../../platform/context.ts'
import { clientOf } from '../../../platform/http/client-name.ts'
import { handlers } from '../../../platform/http/endpoints.ts'
import { isUnchanged } from '../../../platform/http/etag.ts'
import type { HttpError, HttpRequest, Routes } from '../../../platform/http/routes.ts'
import { admitToken, grantOf } from '../../tokens/tokens.ts'
import { readChosen, readTokenOf, sendFailure } from './langfuse-wire.ts'
import { fetchPrompt, listServed } from './served-prompts.ts'

export {
  findNamedPrompt,
  findNamedPromptById,
  type NamedVersion,
  othersTextOf,
  readChoice,
} from './named-prompts.ts'
export { toServedText } from './served-prompts.ts'

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
      const message = 'This token is for chains or agents. Prompts are fetched with a read token.'
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
