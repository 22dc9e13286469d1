import { Readable } from 'node:stream'
import { LIST_BYTES_MAX, NEXT_CURSOR, TOTAL_COUNT } from '@catenary/contracts'
import type { FastifyReply } from 'fastify'
import type * as z from 'zod'
import type { ListPage } from '../list-page.ts'
import { projectionOf } from './projection.ts'

/** A longer page goes out in pieces of about that many characters, each of which is let go once it is written. */
const PIECE_CHARACTERS = 65_536

export function defineListReply<Item extends z.ZodType>(item: Item) {
  const schema = item.array()
  const project = projectionOf(item)
  return {
    schema,

    send: (
      reply: FastifyReply,
      { items, limit, total, cursorAfter }: ListPage<z.output<Item>>,
    ): FastifyReply => {
      const pieces: string[] = []
      let piece = '['
      let count = 0
      let bytes = 0
      for (const item of items.slice(0, limit)) {
        const row = JSON.stringify(project(item))
        // With the bracket or comma before it, and the bracket after the last.
        bytes += Buffer.byteLength(row) + 1
        if (count > 0 && bytes >= LIST_BYTES_MAX) break
        piece += count === 0 ? row : `,${row}`
        count += 1
        if (piece.length < PIECE_CHARACTERS) continue
        pieces.push(piece)
        piece = ''
      }
      pieces.push(`${piece}]`)
      if (total) reply.header(TOTAL_COUNT, `${total.count}${total.isMore ? '+' : ''}`)
      if (count < items.length) reply.header(NEXT_CURSOR, cursorAfter(count - 1))
      reply.type('application/json; charset=utf-8')
      return reply.send(pieces.length === 1 ? pieces[0] : Readable.from(letGo(pieces)))
    },
  }
}

function* letGo(pieces: string[]) {
  for (let piece = pieces.shift(); piece !== undefined; piece = pieces.shift()) yield piece
}
