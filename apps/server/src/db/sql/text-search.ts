import { ilike, type SQL, type SQLWrapper } from 'drizzle-orm'

/** A pattern for what has the text in it as it is. */
export function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`
}

/** Whether a column has the text in it, without regard to case. */
export function contains(column: SQLWrapper, text: string): SQL {
  return ilike(column as Parameters<typeof ilike>[0], containing(text))
}

const LETTERS = /^[\p{L}\p{N}]{1,2}$/u
/** Scripts in which two characters are a word. */
const WORD_SIGNS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u
const TRIGRAM = /[\p{L}\p{N}]{3}/u

/** One and two letters are in almost every text, and in no index. */
export function isInTitlesAlone(search: string): boolean {
  return LETTERS.test(search) && !WORD_SIGNS.test(search)
}

/** Whether an index of trigrams can say where a text is. */
export function hasTrigram(search: string): boolean {
  return TRIGRAM.test(search)
}
