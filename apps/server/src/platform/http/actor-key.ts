import type { FastifyRequest } from 'fastify'
import { optionalUser } from './session.ts'

/** Whom a rate limit counts: the person, or a guest's address. */
export async function toActorKey(request: FastifyRequest): Promise<string> {
  const user = await optionalUser(request)
  return user === null ? request.ip : `user ${user.id}`
}
