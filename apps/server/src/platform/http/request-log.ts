import type { FastifyInstance, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    hasSecretPath?: boolean
  }
}

export function logRequests(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
    const { 'user-agent': userAgent, 'content-length': length } = request.headers
    request.log.debug({ method: request.method, path: pathOf(request), userAgent, length }, 'request begins')
  })
  app.addHook('onResponse', async (request, reply) => {
    const user = await request.sessionUser?.catch(() => null)
    const line = {
      method: request.method,
      path: pathOf(request),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      userId: user?.id,
    }
    if (reply.statusCode >= 500) request.log.warn(line, 'request')
    else request.log.info(line, 'request')
  })
}

/** Without the query, which may hold what a person typed, and without a secret that is a part of the path. */
function pathOf(request: FastifyRequest): string | undefined {
  const { config, url } = request.routeOptions
  if (config.hasSecretPath === true) return url
  return request.url.split('?', 1)[0]
}
