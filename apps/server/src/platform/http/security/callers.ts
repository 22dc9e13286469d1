import type { Caller, TOKEN_CALLERS, User } from '@catenary/contracts'
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { HttpApp } from '../routes.ts'
import { requireAdmin, requireUser } from '../session.ts'

type TokenCaller = (typeof TOKEN_CALLERS)[number]

interface Admission {
  who: Caller
  bodyBytes?: number
  values?: number
}

export type Callers = Readonly<Record<string, Readonly<Record<string, Caller | Admission>>>>

type AdmitToken = (request: FastifyRequest, reply: FastifyReply) => Promise<User>
export type Doors = Record<TokenCaller, AdmitToken>

declare module 'fastify' {
  interface FastifyContextConfig {
    admission?: Admission
  }
  interface FastifyRequest {
    tokenUser: User | undefined
  }
}

/**
 * Asks who calls before a body is read, and refuses who may not: what a stranger sends is neither parsed nor checked.
 * A route that the list lacks stops the start.
 */
export function admitCallers(app: HttpApp, { callers, doors }: { callers: Callers; doors: Doors }): void {
  app.decorateRequest('tokenUser', undefined)
  app.addHook('onRoute', (route) => {
    const admission = admissionOf(callers, route)
    route.config = { ...route.config, admission }
    if (admission.bodyBytes !== undefined) route.bodyLimit = admission.bodyBytes
  })
  app.addHook('onRequest', async (request, reply) => {
    const who = request.routeOptions.config.admission?.who ?? 'guest'
    if (who === 'guest') return
    if (who === 'user') await requireUser(request)
    else if (who === 'admin') await requireAdmin(request)
    else request.tokenUser = await doors[who](request, reply)
  })
}

function admissionOf(callers: Callers, { method, url }: RouteOptions): Admission {
  const [first = ''] = [method].flat()
  const entry = callers[url]?.[first === 'HEAD' ? 'GET' : first]
  if (entry === undefined)
    throw new Error(`Who may call ${first} ${url}? Say it in apps/server/src/platform/http/callers.ts`)
  return typeof entry === 'string' ? { who: entry } : entry
}
