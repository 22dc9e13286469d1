import type { User } from '@catenary/contracts'
import type { FastifyRequest } from 'fastify'
import { optionalUser } from './session.ts'

/** Whose rights a call has: the person's who is signed in, or the creator's of the token that it shows. */
export const callerOf = async (request: FastifyRequest): Promise<User | null> =>
  request.tokenUser ?? optionalUser(request)

/** Whom a rate limit counts: the person, or a guest's address. */
export async function toActorKey(request: FastifyRequest): Promise<string> {
  const user = await callerOf(request)
  return user === null ? request.ip : `user ${user.id}`
}
