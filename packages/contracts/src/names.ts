import * as z from 'zod'

const VISIBLE = /[^\s\p{Z}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cs}\u2800]/u

/** Whether anything of it can be seen: what can't is blank (D74). */
export function isVisible(text: string): boolean {
  return VISIBLE.test(text)
}

/** A name as it is kept: composed, without spaces at its ends. */
export function tidyName(text: string): string {
  return text.normalize('NFC').trim()
}

/** What a person calls something: as it is kept, and not blank. Its bound follows. */
export function nameText(required: string) {
  return z.string().overwrite(tidyName).min(1, { error: required, abort: true }).refine(isVisible, required)
}

/** The same of what needs no name: one that is blank is empty. */
export function optionalName() {
  return z.string().overwrite((text) => (isVisible(text) ? tidyName(text) : ''))
}
