import type { ElementContent, Root, RootContent } from 'hast'

/** What was laid out, as HTML; line ends between blocks are left out. */
export function htmlOf(node: Root | RootContent | ElementContent): string {
  if (node.type === 'text') return node.value.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  if (node.type === 'root') return node.children.filter(isSeen).map(htmlOf).join('')
  if (node.type !== 'element') throw new Error(`What is ‘${node.type}’?`)
  const attributes = Object.entries(node.properties).flatMap(([name, value]) =>
    value === undefined || value === null || value === false
      ? []
      : ` ${name === 'ariaLevel' ? 'aria-level' : name}="${Array.isArray(value) ? value.join(' ') : value}"`,
  )
  const inner = node.children.map(htmlOf).join('')
  return `<${node.tagName}${attributes.join('')}>${inner}</${node.tagName}>`
}

const isSeen = (node: RootContent): boolean => node.type !== 'text' || node.value.trim() !== ''
