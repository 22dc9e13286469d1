import { isRightToLeft } from '@catenary/domain/text-direction'
import type { Element, ElementContent } from 'hast'

/** The browser finds the direction of these by their own first letter. */
const LINES = /^(p|li|td|th|h[1-6]|dt|dd|summary|caption)$/
/** A browser would look only at what has no direction of its own, and all within these does. */
const AROUND = /^(ul|ol|table|blockquote|section)$/
/** Code is read from left to right, whatever its words are. */
const CODE = /^(pre|code|kbd|samp)$/
/** How much of a block is looked through for its first letter. */
const LOOKED_THROUGH = 200

/** Gives a block the direction of its writing. */
export function setDirection(element: Element): void {
  const { tagName } = element
  if (LINES.test(tagName)) element.properties.dir = 'auto'
  else if (CODE.test(tagName)) element.properties.dir = 'ltr'
  else if (AROUND.test(tagName) && isRightToLeft(firstWords(element))) element.properties.dir = 'rtl'
}

function firstWords(element: Element): string {
  let words = ''
  const left: ElementContent[] = element.children.toReversed()
  for (let next = left.pop(); next !== undefined && words.length < LOOKED_THROUGH; next = left.pop()) {
    if (next.type === 'text') words += next.value
    else if (next.type === 'element' && !CODE.test(next.tagName)) left.push(...next.children.toReversed())
  }
  return words
}
