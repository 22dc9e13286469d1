import type { Element, Root, RootContent } from 'hast'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import remarkRehype from 'remark-rehype'
import { unified } from 'unified'

export interface GuidePage {
  title: string
  root: Root
  parts: GuidePart[]
}

interface GuidePart {
  /** The id of its heading; none for the page's beginning. */
  anchor: string
  title: string
  text: string
  links: string[]
}

/** What a picture's address begins with until the build knows the real one. */
export const PICTURE = 'picture:'

const processor = unified().use(remarkParse).use(remarkGfm).use(remarkRehype)
/** Elements that separate the words around them. */
const BLOCKS = new Set(['p', 'li', 'pre', 'tr', 'table', 'ul', 'ol', 'blockquote', 'img'])

export function readGuidePage(markdown: string): GuidePage {
  const root = processor.runSync(processor.parse(markdown)) as Root
  const parts: GuidePart[] = []
  const anchors = new Set<string>()
  for (const node of root.children) {
    const level = node.type === 'element' ? /^h([1-3])$/.exec(node.tagName)?.[1] : undefined
    if (node.type === 'element' && level !== undefined) {
      const title = textOf(node)
      const anchor = level === '1' ? '' : anchorOf({ title, anchors })
      if (anchor !== '') node.properties.id = anchor
      parts.push({ anchor, title, text: '', links: [] })
    }
    const part = parts.at(-1)
    if (!part) throw new Error('A page of the guide begins with its title.')
    if (level === undefined) part.text = `${part.text}\n${textOf(node)}`.replaceAll(/\s*\n\s*/g, '\n').trim()
    part.links.push(...linksOf(node))
  }
  prepare(root)
  return { title: parts[0]?.title ?? '', root, parts }
}

/** The anchor that GitHub gives a heading. */
function anchorOf({ title, anchors }: { title: string; anchors: Set<string> }): string {
  const plain = title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-')
  let anchor = plain
  for (let count = 1; anchors.has(anchor); count += 1) anchor = `${plain}-${count}`
  anchors.add(anchor)
  return anchor
}

function textOf(node: RootContent): string {
  if (node.type === 'text') return node.value.replaceAll(/\s+/g, ' ')
  if (node.type !== 'element') return ''
  const inner = node.children.map(textOf).join('')
  if (node.tagName === 'td' || node.tagName === 'th') return `${inner} `
  return BLOCKS.has(node.tagName) ? `${inner}\n` : inner
}

function linksOf(node: RootContent): string[] {
  if (node.type !== 'element') return []
  const { href } = node.properties
  return [...(typeof href === 'string' ? [href] : []), ...node.children.flatMap(linksOf)]
}

/** Removes positions in the source, and marks pictures, which exist for both themes. */
function prepare(node: Root | RootContent): void {
  delete node.position
  if (node.type === 'element' && node.tagName === 'img') markPicture(node)
  if (node.type === 'element' && node.tagName === 'table') nameTable(node)
  if ('children' in node) for (const child of node.children) prepare(child)
}

/** Tables of one page have names of their own: that of their first row. */
function nameTable(table: Element): void {
  const [, first = ''] = textOf(table)
    .trim()
    .split(/\s*\n\s*/)
  table.properties.ariaLabel = `Table: ${first.split('  ')[0]?.trim()}`
}

function markPicture({ properties }: Element): void {
  const file = String(properties.src)
  properties.src = `${PICTURE}${file}`
  properties.dataDark = `${PICTURE}${file.replace('.webp', '-dark.webp')}`
}
