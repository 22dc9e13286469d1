import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'

export function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`
}

export function hasWords(column: SQLWrapper, words: readonly string[]): SQL {
  return sql`not exists (
    select from unnest(${sql.param([...words])}::text[]) as word where strpos(${column}, word) = 0
  )`
}

const LETTERS = /^[\p{L}\p{N}]{1,2}$/u
/** Scripts in which two characters are a word. */
const WORD_SIGNS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u
const TRIGRAM = /[\p{L}\p{N}]{3}/u

/** One and two letters are in almost every text, and in no index. */
export function areInTitlesAlone(words: readonly string[]): boolean {
  return words.length > 0 && words.every((word) => LETTERS.test(word) && !WORD_SIGNS.test(word))
}

export function hasTrigram(word: string): boolean {
  return TRIGRAM.test(word)
}
