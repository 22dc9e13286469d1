import { ilike, type SQL, type SQLWrapper } from 'drizzle-orm'

/** A pattern for what has the text in it as it is. */
export function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`
}

/** Whether a column has the text in it, without regard to case. */
export function contains(column: SQLWrapper, text: string): SQL {
  return ilike(column as Parameters<typeof ilike>[0], containing(text))
}
