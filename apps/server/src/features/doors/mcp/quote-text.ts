import { cutText } from '@catenary/domain'

/** Controls, formats such as marks of direction, tags that nobody sees, and what has no meaning yet. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]+/gu
const MARKUP: Record<string, string> = { '<': '\\u003c', '>': '\\u003e', '&': '\\u0026', '`': '\\u0060' }

/** The beginning of a person's text for a client's model: on one line, only what is seen, in quotes that it can't end. */
export function quoteText(text: string, max: number): string {
  return JSON.stringify(toLine(text, max)).replace(/[<>&`]/g, (sign) => MARKUP[sign] ?? sign)
}

export function toLine(text: string, max: number): string {
  // Cut first: what is thrown away needs no reading.
  const line = text
    .slice(0, max * 4)
    .replace(UNSEEN, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return line.length > max
    ? `${cutText(line, max - 1)
        .trimEnd()
        .toWellFormed()}…`
    : line
}
