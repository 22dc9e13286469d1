import { LIST_TEXT_MAX, type ListQuery } from '@catenary/contracts'
import { isClipOf } from '@catenary/domain'
import * as z from 'zod'
import { AppError, fieldError } from '../errors.ts'

export type ListRequest<Wanted, Query = ListQuery> = Wanted & { query: Query }

export interface ListPage<Item> {
  /** One more than `limit` where there are more. */
  items: Item[]
  limit: number
  /** How many the whole list has; counted for its first page. */
  total?: ListTotal | undefined
  /** Where the page after this one begins, if this one ends with that item; the first is 0. */
  cursorAfter: (index: number) => string
}

interface ListTotal {
  count: number
  isMore?: boolean
}

/** What was counted, where it was counted no further than to one more than that. */
export function countUpTo(most: number, count: number): ListTotal {
  return count > most ? { count: most, isMore: true } : { count }
}

interface ReadPage<Row, Item> {
  /** One more than `limit` where there are more. */
  rows: Row[]
  limit: number
  total?: ListTotal | undefined
  toItem: (row: Row) => Item
  cursorOf: (row: Row) => string
}

export function toPage<Row, Item>({
  rows,
  limit,
  total,
  toItem,
  cursorOf,
}: ReadPage<Row, Item>): ListPage<Item> {
  const cursorAfter = (index: number) => {
    const row = rows[index]
    if (row === undefined) throw new Error('A page continues after one of its rows')
    return cursorOf(row)
  }
  return { items: rows.map(toItem), limit, total, cursorAfter }
}

export function defineCursor<Position>({ list, position }: { list: string; position: z.ZodType<Position> }) {
  const written = z.tuple([z.literal(list), position])
  return {
    write: (position: Position): string =>
      Buffer.from(JSON.stringify([list, position])).toString('base64url'),

    /** Throws `invalid` for a cursor that this list did not issue. */
    read: (cursor: string | undefined): Position | undefined => {
      if (cursor === undefined) return undefined
      const read = written.safeParse(parse(Buffer.from(cursor, 'base64url').toString()))
      if (read.success) return read.data[1]
      throw fieldError('cursor', 'This cursor doesn’t belong to this list. Start again without one.')
    },
  }
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/** The parts of a cursor position; anything else in a cursor never reaches the database. */
export const cursorPosition = {
  id: z.int().min(0).max(2_147_483_647),
  time: z.iso.datetime().refine((time) => time > '0001'),
  text: z.string().refine((text) => !text.includes('\0')),
}

/** What a listed record says of its content, of which it has the beginning; of other long fields it may have nothing. */
export function clipFields(
  length: number,
  isMoreLeftOut = false,
): { contentClipped?: true; contentLength?: number } {
  return length > LIST_TEXT_MAX || isMoreLeftOut ? { contentClipped: true, contentLength: length } : {}
}

/** Throws `conflict` if a client would overwrite the stored text with what a list showed of it (D51). */
export function refuseClip({
  text,
  stored,
  details,
}: {
  text: string | null | undefined
  stored: string | null
  details?: () => unknown
}): void {
  if (!text || !stored || !isClipOf({ text, stored })) return
  const message = `This is only the beginning of the stored text, as lists show it. Get the full text by its id, then save.`
  throw new AppError('conflict', message, { details: details?.() })
}
