import type { ComponentProps } from 'react'
import { isValidElement, memo, useDeferredValue } from 'react'
import Markdown, { type Components } from 'react-markdown'
import remarkBreaks from 'remark-breaks'
import remarkGfm from 'remark-gfm'
import CodeView from './content-viewer-code.tsx'
import { nestHeadings } from './content-viewer-headings.ts'
import { safeHref } from './content-viewer-link.ts'
import { beginningOf, markdownPieces } from './content-viewer-pieces.ts'

/** Text with Markdown: lines break where they are broken, no HTML of its own, nothing fetched. */
export default function MarkdownView({ text, isWriting }: { text: string; isWriting: boolean }) {
  const shown = useDeferredValue(text, beginningOf(text))
  const pieces = markdownPieces(shown)
  return (
    <div className="rich-text">
      {pieces
        .map((text, index) => ({ index, text }))
        .map(({ index, text }) => (
          <MarkdownText key={index} text={text} isWriting={isWriting && index === pieces.length - 1} />
        ))}
    </div>
  )
}

const MarkdownText = memo(({ text, isWriting }: { text: string; isWriting: boolean }) => (
  <Markdown
    components={COMPONENTS}
    urlTransform={urlTransform}
    remarkPlugins={[remarkGfm, remarkBreaks]}
    rehypePlugins={isWriting ? [placeHeadings, addCursor] : [placeHeadings]}
  >
    {text}
  </Markdown>
))

/** What the links between a text and its footnotes begin with. */
const FOOTNOTES = '#user-content-'

function urlTransform(url: string): string | null {
  return url.startsWith(FOOTNOTES) ? url : safeHref(url)
}

const COMPONENTS: Components = {
  a: ({ node: _, ...props }) => (
    <a
      {...props}
      rel="noopener noreferrer"
      target={props.href?.startsWith(FOOTNOTES) ? undefined : '_blank'}
    />
  ),
  // A picture would be fetched from wherever the model says.
  img: ({ src, alt }) => (
    <a href={typeof src === 'string' ? src : undefined} target="_blank" rel="noopener noreferrer">
      {alt || 'Picture'}
    </a>
  ),
  pre: ({ node: _, ...props }) => <Fence {...props} />,
}

function Fence({ children, ...props }: ComponentProps<'pre'>) {
  const code = isValidElement<ComponentProps<'code'>>(children) ? children.props : null
  if (typeof code?.children !== 'string') return <pre {...props}>{children}</pre>
  const language = /language-(\S+)/.exec(code.className ?? '')?.[1] ?? null
  return <CodeView code={code.children.replace(/\n$/, '')} language={language} isWriting={false} isBlock />
}

interface Node {
  type: string
  tagName?: string
  value?: string
  properties?: Record<string, unknown>
  children?: Node[]
}

/** Gives headings the level that they have inside this page. */
function placeHeadings() {
  return (root: Node) => {
    const headings = elementsOf(root).filter(({ tagName }) => /^h[1-6]$/.test(tagName ?? ''))
    const levels = nestHeadings(headings.map(({ tagName }) => Number(tagName?.slice(1))))
    for (const [index, heading] of headings.entries()) {
      heading.properties = { ...heading.properties, ariaLevel: levels[index] }
    }
  }
}

function elementsOf(node: Node): Node[] {
  return (node.children ?? []).flatMap((child) => [child, ...elementsOf(child)])
}

const WITHOUT_CHILDREN = new Set(['br', 'hr', 'img', 'pre'])

/** Puts the cursor behind the last word, however deep it stands. */
function addCursor() {
  return (root: Node) => {
    let parent = root
    for (;;) {
      const last = parent.children?.findLast((child) => child.type !== 'text' || child.value?.trim() !== '')
      if (last?.type !== 'element' || WITHOUT_CHILDREN.has(last.tagName ?? '')) break
      parent = last
    }
    const cursor = {
      type: 'element',
      tagName: 'span',
      properties: { className: ['writing-cursor'] },
      children: [],
    }
    parent.children = [...(parent.children ?? []), cursor]
  }
}
