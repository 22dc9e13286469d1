import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod'

interface Tagged {
  request: FastifyRequest
  reply: FastifyReply
  /** Changes whenever the reply may. */
  state: string
  /** The reply's shape: a new version of the program may write the same state differently. */
  schema: z.ZodType
}

const shapes = new WeakMap<z.ZodType, string>()

/** Tags the reply; true when the caller has it already, so that an empty 304 is the answer. */
export function isUnchanged({ request, reply, state, schema }: Tagged): boolean {
  const tag = `W/"${digest(`${shapeOf(schema)} ${state}`)}"`
  // Private lists: kept by the browser alone, and asked for each time.
  reply.header('etag', tag).header('cache-control', 'private, no-cache')
  return opaqueTags(request.headers['if-none-match']).includes(tag.slice(2))
}

function shapeOf(schema: z.ZodType): string {
  const known = shapes.get(schema) ?? digest(JSON.stringify(z.toJSONSchema(schema)))
  shapes.set(schema, known)
  return known
}

/** The tags of `If-None-Match`, which compares weakly. */
function opaqueTags(header: string | undefined): string[] {
  return header?.match(/"[^"]*"/g) ?? []
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22)
}
