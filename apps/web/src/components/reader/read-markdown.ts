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
import { linesOfMarkup } from './markup-lines.ts'
import { widenFences } from './nested-fences.ts'
import { checkWords, DEPTH_MAX, PARTS_MAX, TEXT_MAX, TooMuchError } from './reader-bounds.ts'
import { safeHref } from './safe-link.ts'
import { setDirection } from './text-direction.ts'

/** A piece of a text with Markdown, laid out: known elements and text, and no HTML of its own. */
export interface MarkdownTree {
  /** What it was read from; with the levels of its headings, which hang on all of the text. */
  key: string
  root: Root
}

interface ReadPiece {
  root: Root
  parts: number
  headings: readonly Element[]
}

/** Pieces that were read stay as they are while a text grows. */
const KEPT_MAX = 200
/** What the links between a text and its footnotes begin with. */
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
  /** The least length of a piece, if not the usual one. */
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

/** HTML in Markdown is shown as it is written, line by line. */
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
