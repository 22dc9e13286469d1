import { LIST_BYTES_MAX, NEXT_CURSOR, TOTAL_COUNT } from '@catenary/contracts'
import type { FastifyReply } from 'fastify'
import type * as z from 'zod'
import type { ListPage } from '../../list-page.ts'
import { projectionOf } from './projection.ts'

/** A list as routes write it: its shape, and how a page of it is sent. */
export function defineListReply<Item extends z.ZodType>(item: Item) {
  const schema = item.array()
  const project = projectionOf(item)
  return {
    schema,

    /** Sends as many rows as fit, and where the next page begins if there is more. */
    send: (
      reply: FastifyReply,
      { items, limit, total, cursorAfter }: ListPage<z.output<Item>>,
    ): FastifyReply => {
      const rows: string[] = []
      let bytes = 0
      for (const item of items.slice(0, limit)) {
        const row = JSON.stringify(project(item))
        // With the bracket or comma before it, and the bracket after the last.
        bytes += Buffer.byteLength(row) + 1
        if (rows.length > 0 && bytes >= LIST_BYTES_MAX) break
        rows.push(row)
      }
      if (total) reply.header(TOTAL_COUNT, `${total.count}${total.isMore ? '+' : ''}`)
      if (rows.length < items.length) reply.header(NEXT_CURSOR, cursorAfter(rows.length - 1))
      return reply.type('application/json; charset=utf-8').send(`[${rows.join(',')}]`)
    },
  }
}
