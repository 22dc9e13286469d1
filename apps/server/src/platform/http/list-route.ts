import { noContent } from '@catenary/contracts'
import type { FastifyRequest, FastifySchema } from 'fastify'
import type * as z from 'zod'
import type { ListPage } from '../../list-page.ts'
import { isUnchanged } from './etag.ts'
import { defineListReply } from './list-replies.ts'
import type { HttpApp, RouteAbout } from './routes.ts'
import { adminOnly } from './security/admin-only.ts'

/** A call for a list, with its path and its query as the contract reads them. */
type ListCall<Params, Query> = FastifyRequest & { params: Params; query: Query }

interface ListRoute<Item extends z.ZodType, Query, Params> extends RouteAbout<Params> {
  querystring: z.ZodType<Query>
  item: Item
  /** Changes whenever the list may: a caller who has the current list gets an empty 304. */
  stateOf?: (call: ListCall<Params, Query>) => Promise<string>
  read: (call: ListCall<Params, Query>) => Promise<ListPage<z.output<Item>>>
}

/** `GET path`: a page of a list, as `defineListReply` sends it. */
export function defineListRoute<Item extends z.ZodType, Query, Params = unknown>(
  app: HttpApp,
  path: string,
  { item, errors, isAdminOnly = false, stateOf, read, ...about }: ListRoute<Item, Query, Params>,
): void {
  const list = defineListReply(item)
  const unchanged = stateOf && { 304: noContent }
  const schema: FastifySchema = { ...about, response: { 200: list.schema, ...unchanged, ...errors } }
  app.get(path, isAdminOnly ? { ...adminOnly, schema } : { schema }, async (request, reply) => {
    const call = request as ListCall<Params, Query>
    // Before the list is read: a change in between then costs a reading, and never goes unseen.
    const state = await stateOf?.(call)
    if (state !== undefined && isUnchanged({ request, reply, state, schema: list.schema })) {
      return reply.code(304).send()
    }
    return list.send(reply, await read(call))
  })
}
