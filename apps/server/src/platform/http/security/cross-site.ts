import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../../../errors.ts'

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

declare module 'fastify' {
  interface FastifyContextConfig {
    /** true: a GET that acts or reveals, checked as a write is; false: cookies count for nothing there (D8). */
    crossSiteCheck?: boolean
  }
}

export function refuseCrossSiteWrites(
  app: FastifyInstance,
  { allowedOrigins }: { allowedOrigins: string[] },
): void {
  const allowed = new Set(allowedOrigins)
  app.addHook('onRequest', async (request) => {
    const guarded = request.routeOptions.config.crossSiteCheck ?? !SAFE_METHODS.has(request.method)
    if (guarded && !isOwnSite({ request, allowed })) {
      throw new AppError('forbidden', 'This request came from another site')
    }
  })
}

function isOwnSite({ request, allowed }: { request: FastifyRequest; allowed: Set<string> }): boolean {
  const { origin, host, cookie } = request.headers
  const site = request.headers['sec-fetch-site']
  if (site === 'same-origin') return true
  if (origin !== undefined && allowed.has(origin)) return true
  if (site !== undefined) return false
  if (origin !== undefined) return hostOf(origin) === host
  // A program that sends no cookie has no session that another site could borrow.
  return cookie === undefined
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined
}
