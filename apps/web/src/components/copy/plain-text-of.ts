/** Stand on lines of their own. */
const BLOCKS = /^(P|DIV|H[1-6]|UL|OL|LI|BLOCKQUOTE|PRE|TABLE|TR|HR|SECTION|DL|DT|DD|FIGURE|DETAILS|SUMMARY)$/
/** Have an empty line around them, as they are shown. */
const APART = /^(P|H[1-6]|BLOCKQUOTE|PRE|TABLE|HR|FIGURE)$/
/** What a person presses is no part of the text. */
const CONTROLS = 'button, [aria-hidden="true"], .sr-only'

/** What is shown, as text for a mail or a form: without marks, lists with theirs, cells apart by tabs. */
export function plainTextOf(shown: Element): string {
  return [...shown.childNodes]
    .map(textOf)
    .join('')
    .replaceAll(/[ \t]+\n/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
}

function textOf(node: Node): string {
  if (node instanceof Text) {
    const text = node.data.replaceAll(/\s+/g, ' ')
    return node.previousSibling?.nodeName === 'BR' ? text.trimStart() : text
  }
  if (!(node instanceof Element) || node.matches(CONTROLS)) return ''
  if (node.tagName === 'BR') return '\n'
  if (node.tagName === 'PRE') return `\n\n${(node.querySelector('code') ?? node).textContent}\n\n`
  if (node.tagName === 'TR') return `\n${[...node.children].map((cell) => plainTextOf(cell)).join('\t')}`
  const inner = [...node.childNodes].map(textOf).join('')
  // What is in an item, such as a list, is set in.
  if (node.tagName === 'LI') return `\n${markerOf(node)}${inner.trim().replaceAll('\n', '\n  ')}`
  if (!BLOCKS.test(node.tagName)) return inner
  const line = APART.test(node.tagName) && node.parentElement?.tagName !== 'LI' ? '\n\n' : '\n'
  return `${line}${inner.trim()}${line}`
}

function markerOf(item: Element): string {
  const list = item.parentElement
  if (list?.tagName !== 'OL') return '• '
  const first = Number(list.getAttribute('start') ?? 1)
  const place = [...list.children].filter(({ tagName }) => tagName === 'LI').indexOf(item)
  return `${first + place}. `
}
