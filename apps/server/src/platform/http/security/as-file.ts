import type { FastifyReply } from 'fastify'

/** Headers of a file that a browser keeps. It reveals: its route must say whether another site may ask for it (D8). */
export function asFile(reply: FastifyReply, { name, type }: { name: string; type: string }): FastifyReply {
  const { url, config } = reply.request.routeOptions
  if (config.crossSiteCheck === undefined)
    throw new Error(`${url} gives a file, and does not say whether another site may ask for it`)
  return reply.type(type).header('content-disposition', `attachment; filename="${name}"`)
}
