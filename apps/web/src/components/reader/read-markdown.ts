import type { Element, ElementContent, Root, RootContent } from 'hast'
import remarkBreaks from 'remark-breaks'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import remarkRehype from 'remark-rehype'
import { unified } from 'unified'
import { nestHeadings } from './headings.ts'
import { checkWords, DEPTH_MAX, PARTS_MAX, TEXT_MAX, TooMuchError } from './reader-bounds.ts'
import { safeHref } from './safe-link.ts'

/** A piece of a text with Markdown, laid out: known elements and text, and no HTML of its own. */
export interface MarkdownTree {
  /** What it was read from. */
  text: string
  root: Root
}

/** Pieces that were read stay as they are while a text grows. */
const KEPT_MAX = 200
/** What the links between a text and its footnotes begin with. */
const FOOTNOTES = '#user-content-'

const processor = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkBreaks)
  .use(remarkRehype, { allowDangerousHtml: true })
const kept = new Map<string, { root: Root; parts: number }>()

export function readMarkdown({
  pieces,
  isWriting,
}: {
  pieces: readonly string[]
  isWriting: boolean
}): readonly MarkdownTree[] {
  if (pieces.reduce((sum, { length }) => sum + length, 0) > TEXT_MAX) throw new TooMuchError()
  let parts = 0
  return pieces.map((text, index) => {
    const hasCursor = isWriting && index === pieces.length - 1
    const read = (!hasCursor && kept.get(text)) || readPiece(text)
    parts += read.parts
    if (parts > PARTS_MAX) throw new TooMuchError()
    if (hasCursor) addCursor(read.root)
    else keep(text, read)
    return { text, root: read.root }
  })
}

function keep(text: string, read: { root: Root; parts: number }): void {
  if (kept.size >= KEPT_MAX) kept.clear()
  kept.set(text, read)
}

function readPiece(text: string): { root: Root; parts: number } {
  const root = processor.runSync(processor.parse(text))
  const headings: Element[] = []
  const left: { node: Root | RootContent; depth: number; isCode: boolean }[] = [
    { node: root, depth: 0, isCode: false },
  ]
  let parts = 0
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { node, depth, isCode } = next
    parts += 1
    if (parts > PARTS_MAX || depth > DEPTH_MAX) throw new TooMuchError()
    delete node.position
    // Letters of one width are broken into lines in linear time.
    if (node.type === 'text' && !isCode) checkWords(node.value)
    if (node.type === 'element') {
      cleanLinks(node)
      if (/^h[1-6]$/.test(node.tagName)) headings.push(node)
    }
    if (!('children' in node)) continue
    node.children = node.children.map(withoutMarkup) as typeof node.children
    const holdsCode = isCode || (node.type === 'element' && node.tagName === 'code')
    for (const child of node.children.toReversed())
      left.push({ node: child, depth: depth + 1, isCode: holdsCode })
  }
  placeHeadings(headings)
  return { root, parts }
}

/** HTML in Markdown is shown as it is written. */
function withoutMarkup(node: RootContent): RootContent {
  return node.type === 'raw' ? { type: 'text', value: (node as { value: string }).value } : node
}

function cleanLinks({ properties }: Element): void {
  for (const name of ['href', 'src', 'cite']) {
    const address = properties[name]
    if (address === undefined) continue
    const written = String(address ?? '')
    properties[name] = written.startsWith(FOOTNOTES) ? written : safeHref(written)
  }
}

/** Gives headings the level that they have inside this page. */
function placeHeadings(headings: readonly Element[]): void {
  const levels = nestHeadings(headings.map(({ tagName }) => Number(tagName.slice(1))))
  for (const [index, heading] of headings.entries()) heading.properties.ariaLevel = levels[index]
}

const WITHOUT_CHILDREN = new Set(['br', 'hr', 'img', 'pre'])

/** Puts the cursor behind the last word, however deep it stands. */
function addCursor(root: Root): void {
  let parent: Root | Element = root
  for (;;) {
    const children: readonly (RootContent | ElementContent)[] = parent.children
    const last = children.findLast((child) => child.type !== 'text' || child.value.trim() !== '')
    if (last?.type !== 'element' || WITHOUT_CHILDREN.has(last.tagName)) break
    parent = last
  }
  parent.children.push({
    type: 'element',
    tagName: 'span',
    properties: { className: ['writing-cursor'] },
    children: [],
  })
}
