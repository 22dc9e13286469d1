import { isRightToLeft } from '@catenary/domain/text-direction'
import type { Element, ElementContent, Root, RootContent } from 'hast'
import type { Root as MarkdownRoot } from 'mdast'
import remarkBreaks from 'remark-breaks'
import remarkCjkFriendly from 'remark-cjk-friendly'
import remarkCjkFriendlyStrikethrough from 'remark-cjk-friendly-gfm-strikethrough'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import remarkRehype from 'remark-rehype'
import { unified } from 'unified'
import { nestHeadings } from './headings.ts'
import { cutMarkdown, type MarkdownPiece } from './markdown-pieces.ts'
import { checkWords, DEPTH_MAX, PARTS_MAX, TEXT_MAX, TooMuchError } from './reader-bounds.ts'
import { safeHref } from './safe-link.ts'

/** The browser finds the direction of these by their own first letter. */
const LINE_ELEMENTS = /^(p|li|td|th|h[1-6]|dt|dd|summary|caption)$/
/** A browser would look only at what has no direction of its own, and all within these does. */
const AROUND_ELEMENTS = /^(ul|ol|table|blockquote|section)$/
const CODE_ELEMENTS = /^(pre|code|kbd|samp)$/
const LOOKED_THROUGH = 200

/** A block of Markdown that a model shows, in a fence that is no longer than those within it. */
const SHOWN_MARKDOWN = /^ {0,3}(`{3,}|~{3,})[ \t]*(?:markdown|mdx?)[ \t]*\r?$/i
const FENCE_OPENING = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/
/** With a word behind it a fence can only open; without one it closes the last that is open. */
const INNER_FENCE = /^ {0,3}(`{3,}|~{3,})[ \t]*([^\s`]*)[ \t]*\r?$/

/** Models have no other way to break a line in a table's cell. */
const LINE_END = /<br[ \t]*\/?>(?:\r?\n)?|\r?\n/i

export interface MarkdownTree {
  key: string
  root: Root
}

interface ReadPiece {
  root: Root
  parts: number
  headings: readonly Element[]
}

const KEPT_MAX = 200
const FOOTNOTES = '#user-content-'

/** A single `~` is a word for ‘about’. */
const GFM = { singleTilde: false }
const processor = unified()
  .use(remarkParse)
  .use(remarkGfm, GFM)
  .use(remarkCjkFriendly)
  .use(remarkCjkFriendlyStrikethrough, GFM)
  .use(remarkBreaks)
  .use(remarkRehype, { allowDangerousHtml: true })
const parse = (text: string): MarkdownRoot => processor.parse(text)
const kept = new Map<string, ReadPiece>()

export function readMarkdown({
  text,
  isWriting,
  pieceMin,
}: {
  text: string
  isWriting: boolean
  pieceMin?: number
}): readonly MarkdownTree[] {
  if (text.length > TEXT_MAX) throw new TooMuchError()
  const pieces = cutMarkdown({ text: widenFences(text), parse, ...(pieceMin && { min: pieceMin }) })
  let parts = 0
  const read = pieces.map((piece, index) => {
    const hasCursor = isWriting && index === pieces.length - 1
    const read = (!hasCursor && kept.get(piece.text)) || readPiece(piece)
    parts += read.parts
    if (parts > PARTS_MAX) throw new TooMuchError()
    if (hasCursor) addCursor(read.root)
    else keep(piece.text, read)
    return { text: piece.text, ...read }
  })
  placeHeadings(read.flatMap(({ headings }) => headings))
  return read.map(({ text, root, headings }) => ({
    key: `${headings.map(({ properties }) => properties.ariaLevel).join('')}\n${text}`,
    root,
  }))
}

function keep(text: string, read: ReadPiece): void {
  if (kept.size >= KEPT_MAX) kept.clear()
  kept.set(text, read)
}

function readPiece({ text, tree }: MarkdownPiece): ReadPiece {
  const root = processor.runSync(tree ?? parse(text))
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
      setDirection(node)
      if (/^h[1-6]$/.test(node.tagName)) headings.push(node)
    }
    if (!('children' in node)) continue
    node.children = withoutMarkup(node)
    const holdsCode = isCode || (node.type === 'element' && node.tagName === 'code')
    for (const child of node.children.toReversed())
      left.push({ node: child, depth: depth + 1, isCode: holdsCode })
  }
  return { root, parts, headings }
}

function withoutMarkup(parent: {
  type: string
  tagName?: string
  children: readonly unknown[]
}): ElementContent[] {
  const children = parent.children as (ElementContent | { type: 'raw'; value: string })[]
  return children.flatMap((child) => (child.type === 'raw' ? linesOfMarkup({ parent, ...child }) : child))
}

function cleanLinks({ properties }: Element): void {
  for (const name of ['href', 'src', 'cite']) {
    const address = properties[name]
    if (address === undefined) continue
    const written = String(address ?? '')
    properties[name] = written.startsWith(FOOTNOTES) ? written : safeHref(written)
  }
}

function placeHeadings(headings: readonly Element[]): void {
  const levels = nestHeadings(headings.map(({ tagName }) => Number(tagName.slice(1))))
  for (const [index, heading] of headings.entries()) heading.properties.ariaLevel = levels[index]
}

const WITHOUT_CHILDREN = new Set(['br', 'hr', 'img', 'pre'])

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

interface Parent {
  type: string
  tagName?: string
}

/** HTML of a text with Markdown as it is written: its lines end where they end, and a bare `<br>` ends one. */
function linesOfMarkup({ parent, value }: { parent: Parent; value: string }): ElementContent[] {
  const text = withoutLastEnds(value)
  const lines = text.split(LINE_END)
  const broken = lines.flatMap((line, index): ElementContent[] => [
    ...(index === 0 ? [] : [{ type: 'element' as const, tagName: 'br', properties: {}, children: [] }]),
    ...(line === '' ? [] : [{ type: 'text' as const, value: line }]),
  ])
  if (!standsAlone({ parent, value: text })) return broken
  return [{ type: 'element', tagName: 'p', properties: { className: ['raw-lines'] }, children: broken }]
}

/** How many empty lines belong to it depends on where the surrounding text was cut. */
function withoutLastEnds(value: string): string {
  let end = value.length
  while (value[end - 1] === '\n' || value[end - 1] === '\r') end -= 1
  return value.slice(0, end)
}

function standsAlone({ parent, value }: { parent: Parent; value: string }): boolean {
  if (parent.type === 'root' || parent.tagName === 'blockquote') return true
  return parent.tagName === 'li' && value.includes('\n')
}

/**
 * Widens the fence around Markdown that has fences of its own: by CommonMark's rule the first of those to close would end it,
 * and the rest of the text would be taken for the opposite of what it is.
 */
function widenFences(text: string): string {
  const lines = text.split('\n')
  if (!lines.some((line) => SHOWN_MARKDOWN.test(line))) return text
  for (let at = 0; at < lines.length; at += 1) {
    const shown = SHOWN_MARKDOWN.exec(lines[at] ?? '')?.[1]
    const around = shown === undefined ? null : endOfNested({ lines, at, marks: shown })
    if (shown !== undefined && around !== null) {
      const wide = (shown[0] ?? '`').repeat(around.longest + 1)
      for (const edge of [at, around.end]) lines[edge] = lines[edge]?.replace(/[`~]+/, wide) ?? ''
      at = around.end
      continue
    }
    const marks = FENCE_OPENING.exec(lines[at] ?? '')?.[1]
    if (marks !== undefined) at = endOfFence({ lines, at, marks })
  }
  return lines.join('\n')
}

interface Fence {
  lines: readonly string[]
  at: number
  marks: string
}

/** Where the fence ends if those within it are counted; null where there are none, or they don't come out even. */
function endOfNested({ lines, at, marks }: Fence): { end: number; longest: number } | null {
  let depth = 1
  let longest = 0
  for (let end = at + 1; end < lines.length; end += 1) {
    const [, inner, word] = INNER_FENCE.exec(lines[end] ?? '') ?? []
    if (inner === undefined || !inner.startsWith(marks)) continue
    depth += word === '' ? -1 : 1
    if (depth === 0) return longest === 0 ? null : { end, longest }
    longest = Math.max(longest, inner.length)
  }
  return null
}

function endOfFence({ lines, at, marks }: Fence): number {
  const end = lines.findIndex((line, index) => {
    const [, closing, word] = INNER_FENCE.exec(line) ?? []
    return index > at && word === '' && closing?.startsWith(marks)
  })
  return end === -1 ? lines.length : end
}

function setDirection(element: Element): void {
  const { tagName } = element
  if (LINE_ELEMENTS.test(tagName)) element.properties.dir = 'auto'
  else if (CODE_ELEMENTS.test(tagName)) element.properties.dir = 'ltr'
  else if (AROUND_ELEMENTS.test(tagName) && isRightToLeft(firstWords(element))) element.properties.dir = 'rtl'
}

function firstWords(element: Element): string {
  let words = ''
  const left: ElementContent[] = element.children.toReversed()
  for (let next = left.pop(); next !== undefined && words.length < LOOKED_THROUGH; next = left.pop()) {
    if (next.type === 'text') words += next.value
    else if (next.type === 'element' && !CODE_ELEMENTS.test(next.tagName))
      left.push(...next.children.toReversed())
  }
  return words
}
