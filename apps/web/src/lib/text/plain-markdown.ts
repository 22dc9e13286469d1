import { shortenText } from '@catenary/domain'

const READ_MAX = 4000

const FENCE = /^ {0,3}(?:```|~~~)/
const RULE = /^[\s|:*_=-]+$/
const LEAD = /^[\s>]*(?:#{1,6}\s+|[*+-]\s+(?:\[[ xX]\]\s+)?)?/
const LINK = /!?\[([^[\]]*)\]\([^()\s]*\)/g
const STRONG = /(?<![\p{L}\p{N}\\])(?:\*{2,3}|~~)(?=\S)|(?<=[^\s\\])(?:\*{2,3}|~~)(?![\p{L}\p{N}])/gu
const EMPHASIS = /(?<!\\)\*(?=\S)([^*]+)(?<=[^\s\\])\*/g
/** An underscore inside a name is not a mark. */
const UNDERSCORES = /(?<![\p{L}\p{N}_\\])_+(?=\S)|(?<=[^\s_\\])_+(?![\p{L}\p{N}_])/gu
const ESCAPED = /\\([\\`*_{}[\]()#+.!|>~-])/g

export function plainExcerpt({ text, max }: { text: string; max: number }): string {
  const line = plainLines(text).join(' ').replace(/\s+/g, ' ').trim()
  return shortenText(line, max)
}

export function firstPlainLine(text: string): string {
  return plainLines(text).find((line) => /[\p{L}\p{N}]/u.test(line)) ?? ''
}

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
