import { noContent } from '@catenary/contracts'
import type { FastifyRequest, FastifySchema } from 'fastify'
import type { HttpApp, RouteAbout } from './routes.ts'
import { adminOnly } from './security/admin-only.ts'

interface DeleteRoute<Params> extends RouteAbout<Params> {
  remove: (call: FastifyRequest & { params: Params }) => Promise<unknown>
}

/** `DELETE path`: an empty 204 once it is gone. */
export function defineDeleteRoute<Params = unknown>(
  app: HttpApp,
  path: string,
  { errors, isAdminOnly = false, remove, ...about }: DeleteRoute<Params>,
): void {
  const schema: FastifySchema = { ...about, response: { 204: noContent, ...errors } }
  app.delete(path, isAdminOnly ? { ...adminOnly, schema } : { schema }, async (request, reply) => {
    await remove(request as FastifyRequest & { params: Params })
    return reply.code(204).send()
  })
}
