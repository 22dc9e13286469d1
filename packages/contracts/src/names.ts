const VISIBLE = /[^\s\p{Z}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cs}\u2800]/u

/** Whether anything of it can be seen: what can't is blank (D74). */
export function isVisible(text: string): boolean {
  return VISIBLE.test(text)
}

/** A name as it is kept: composed, without spaces at its ends. */
export function tidyName(text: string): string {
  return text.normalize('NFC').trim()
}
