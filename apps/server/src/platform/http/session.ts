import type { User } from '@catenary/contracts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../../errors.ts'

export type FindUser = (headers: Headers) => Promise<User | null>

declare module 'fastify' {
  interface FastifyRequest {
    /** Asked at most once a request, and only by routes that need it. */
    sessionUser: Promise<User | null> | undefined
  }
  interface FastifyInstance {
    findUser: FindUser
  }
}

export function registerSession(app: FastifyInstance, { findUser }: { findUser: FindUser }): void {
  app.decorate('findUser', findUser)
  app.decorateRequest('sessionUser', undefined)
}

export function optionalUser(request: FastifyRequest): Promise<User | null> {
  request.sessionUser ??= request.server.findUser(toHeaders(request))
  return request.sessionUser
}

/** The signed-in person; 401 for a guest. */
export async function requireUser(request: FastifyRequest): Promise<User> {
  const user = await optionalUser(request)
  if (user === null) throw new AppError('unauthenticated', 'Please log in')
  return user
}

/** The signed-in admin; 401 for a guest, 403 for anyone else. */
export async function requireAdmin(request: FastifyRequest): Promise<User> {
  const user = await requireUser(request)
  if (user.role !== 'admin') throw new AppError('forbidden', 'Only an administrator may do this')
  return user
}

export function toHeaders(request: FastifyRequest): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value)
  }
  return headers
}
