import type { FastifyRequest } from 'fastify'

/** What `Authorization: Bearer` shows. */
export function bearerOf({ headers: { authorization = '' } }: FastifyRequest): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(authorization)?.[1]
}
