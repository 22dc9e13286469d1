import { HOOK_TEXTS, hooksApi, type User } from '@catenary/contracts'
import { AppError } from '../../../errors.ts'
import type { Context } from '../../../platform/context.ts'
import { handlers } from '../../../platform/http/endpoints.ts'
import type { HttpError, HttpReply, HttpRequest, Routes } from '../../../platform/http/routes.ts'
import { admitToken, keepRefused, shownGrant } from '../../tokens/tokens.ts'
import { deliveryIdOf, receiveDelivery } from './receive-delivery.ts'

const serve = handlers(hooksApi, {
  'POST /hooks/{token}': async (ctx, { request }) => ({ executionId: await receiveDelivery(ctx, request) }),
  'GET /hooks/{token}': (_, { reply }) =>
    reply.code(405).header('allow', 'POST').send({ error: HOOK_TEXTS.method }),
})

/** Why each call was refused, as the person whose address it is reads it. */
const reasons = new WeakMap<HttpRequest, string>()

/** Whose address a call is for, before its body is read. Nobody learns why one is none. */
export async function admitHook(ctx: Context, request: HttpRequest): Promise<User> {
  const { token } = Object(request.params) as { token?: string }
  const unknown = () => new AppError('unauthenticated', HOOK_TEXTS.unknown)
  try {
    return await admitToken(ctx, {
      request,
      token,
      require: ({ abilities }) => {
        if (!abilities.has('hook')) throw unknown()
      },
    })
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'unauthenticated') throw error
    reasons.set(request, error.message)
    throw unknown()
  }
}

/** Chains' own addresses: what comes in is read as it is, signed bytes first. */
export const serveHooks: Routes = (app, edge) => {
  void app.register(async (hooks) => {
    hooks.removeAllContentTypeParsers()
    hooks.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body))
    hooks.setErrorHandler((error: HttpError, request) => {
      if (!reasons.has(request)) reasons.set(request, error.message)
      throw error
    })
    hooks.addHook('onSend', (request, reply) => noteRefused(edge.ctx, { request, reply }))
    serve(hooks, edge)
  })
}

/** Before the reply: its sender may look at once. */
async function noteRefused(
  ctx: Context,
  { request, reply: { statusCode: status } }: { request: HttpRequest; reply: HttpReply },
): Promise<void> {
  const grant = shownGrant(request)
  if (status === 202 || grant === undefined || !grant.abilities.has('hook')) return
  const reason = status >= 500 ? HTTP_FAILED : (reasons.get(request) ?? HTTP_FAILED)
  const refused = { grant, deliveryId: namedBy(grant, request), address: request.ip, status, reason }
  await keepRefused(ctx, refused).catch((error: unknown) =>
    ctx.log.warn({ err: error, tokenId: grant.tokenId }, 'a refused delivery could not be kept'),
  )
}

const HTTP_FAILED = 'Something went wrong on the server'

function namedBy(...of: Parameters<typeof deliveryIdOf>): string | null {
  try {
    return deliveryIdOf(...of)
  } catch {
    return null
  }
}
