import * as z from 'zod'

const VISIBLE = /[^\s\p{Z}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cs}\u2800]/u

/** Text of invisible characters alone is blank (D74). */
export function isVisible(text: string): boolean {
  return VISIBLE.test(text)
}

/** A name as it is kept: composed, without spaces at its ends. */
export function tidyName(text: string): string {
  return text.normalize('NFC').trim()
}

export const INVISIBLE = /\p{Default_Ignorable_Code_Point}|(?!\s)\p{Cc}/gu
export const SPACES = /[\s\p{Z}\u2800]+/gu

/** Without case, as Unicode folds it; the four letters i of Turkish are one, as each language pairs them in its own way. */
export function foldCase(text: string): string {
  return text.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ').replaceAll('i\u0307', 'i')
}

/** Equal for names that look the same (D74): names are unique and found by it. */
export function nameKey(name: string): string {
  const folded = foldCase(name.normalize('NFKC')).normalize('NFKC')
  return folded.replace(INVISIBLE, '').replace(SPACES, ' ').trim()
}

export const isSameName = (one: string, other: string): boolean => nameKey(one) === nameKey(other)

export function nameText(required: string) {
  return z.string().overwrite(tidyName).min(1, { error: required, abort: true }).refine(isVisible, required)
}

export function optionalName() {
  return z.string().overwrite((text) => (isVisible(text) ? tidyName(text) : ''))
}
