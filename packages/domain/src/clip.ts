import { LIST_TEXT_MAX } from '@catenary/contracts'

/** The beginning of a text as lists show it, which is all of a short one (D51). */
export function clip(text: string): string {
  if (text.length <= LIST_TEXT_MAX) return text
  // So many characters have at most twice as many UTF-16 units.
  return Array.from(text.slice(0, 2 * LIST_TEXT_MAX))
    .slice(0, LIST_TEXT_MAX)
    .join('')
}

/** Whoever writes it has mistaken the part for the whole. */
export function isClipOf({ text, stored }: { text: string; stored: string }): boolean {
  return text.length < stored.length && text === clip(stored)
}
