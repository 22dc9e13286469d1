import type { User } from '@catenary/contracts'
import type { FastifyRequest } from 'fastify'
import { optionalUser } from './session.ts'

export const callerOf = async (request: FastifyRequest): Promise<User | null> =>
  request.tokenUser ?? optionalUser(request)

export async function toActorKey(request: FastifyRequest): Promise<string> {
  const user = await callerOf(request)
  return user === null ? request.ip : `user ${user.id}`
}
