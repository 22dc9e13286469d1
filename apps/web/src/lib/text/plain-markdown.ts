import { shortenText } from '@catenary/domain'

/** How much of a text is read for an excerpt. */
const READ_MAX = 4000

const FENCE = /^ {0,3}(?:```|~~~)/
/** A rule between parts, or between the head and the rows of a table. */
const RULE = /^[\s|:*_=-]+$/
/** What a line begins with, if it is quoted, a heading or an item. */
const LEAD = /^[\s>]*(?:#{1,6}\s+|[*+-]\s+(?:\[[ xX]\]\s+)?)?/
const LINK = /!?\[([^[\]]*)\]\([^()\s]*\)/g
const STRONG = /(?<![\p{L}\p{N}\\])(?:\*{2,3}|~~)(?=\S)|(?<=[^\s\\])(?:\*{2,3}|~~)(?![\p{L}\p{N}])/gu
const EMPHASIS = /(?<!\\)\*(?=\S)([^*]+)(?<=[^\s\\])\*/g
/** An underscore inside a name is not a mark. */
const UNDERSCORES = /(?<![\p{L}\p{N}_\\])_+(?=\S)|(?<=[^\s_\\])_+(?![\p{L}\p{N}_])/gu
const ESCAPED = /\\([\\`*_{}[\]()#+.!|>~-])/g

/** A text with Markdown in one line of words, without its marks, of at most so many characters. */
export function plainExcerpt({ text, max }: { text: string; max: number }): string {
  const line = plainLines(text).join(' ').replace(/\s+/g, ' ').trim()
  return shortenText(line, max)
}

/** The first line with a word in it, without the marks of Markdown. */
export function firstPlainLine(text: string): string {
  return plainLines(text).find((line) => /[\p{L}\p{N}]/u.test(line)) ?? ''
}

/** One line, or a piece of it, without the marks of Markdown; what stands as code stays as it is. */
export function withoutMarks(line: string): string {
  const pieces = line.replace(LEAD, '').split(/`+/)
  return pieces.map((piece, place) => (place % 2 === 1 ? piece : wordsOf(piece))).join('')
}

function plainLines(text: string): string[] {
  let isCode = false
  return text
    .slice(0, READ_MAX)
    .split('\n')
    .flatMap((line) => {
      if (FENCE.test(line)) {
        isCode = !isCode
        return []
      }
      if (isCode) return [line.trim()]
      return RULE.test(line) ? [] : [withoutMarks(line).trim()]
    })
}

function wordsOf(piece: string): string {
  return piece
    .replace(LINK, '$1')
    .replace(STRONG, '')
    .replace(EMPHASIS, '$1')
    .replace(UNDERSCORES, '')
    .replace(/^\s*\||\|\s*$/g, '')
    .replace(ESCAPED, '$1')
}
