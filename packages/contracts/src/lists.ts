import * as z from 'zod'

/** Lists clip texts to so many characters (D51). */
export const LIST_TEXT_MAX = 500
/** Rows of a page, at most and when no number is asked for. */
export const LIST_PAGE_MAX = 1000
/** A page ends before the row that would take it beyond. */
export const LIST_BYTES_MAX = 2_000_000
/** Matches of a search, and runs of a history, are counted so far. */
export const COUNT_MAX = 3000

export const TOTAL_COUNT = 'x-total-count'
export const NEXT_CURSOR = 'x-next-cursor'

const CURSOR_MAX = 4000

export const listQuery = z.strictObject({
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(LIST_PAGE_MAX)
    .default(LIST_PAGE_MAX)
    .describe('Rows per page; fewer where they would exceed 2 MB.'),
  cursor: z
    .string()
    .max(CURSOR_MAX)
    .optional()
    .describe('X-Next-Cursor of the previous page; continues after its last row.'),
})
export type ListQuery = z.output<typeof listQuery>

export const searchParam = (description: string) =>
  z.string().trim().max(200).optional().describe(description)

export const clip = {
  clipped: z.literal(true).optional().describe('The text is cut off; get the record by id for all of it.'),
  length: z.int().optional().describe('Length of the whole text in characters; absent: it is not cut off.'),
}

export const clippedContent = { contentClipped: clip.clipped, contentLength: clip.length }

/** A listed record, which may be clipped, is no whole one. */
export type Whole<Fields> = Fields & { contentClipped?: never }

export function isWhole<Listed extends { contentClipped?: true | undefined }>(
  listed: Listed,
): listed is Listed & { contentClipped?: never } {
  return listed.contentClipped === undefined
}
