import { toJsxRuntime } from 'hast-util-to-jsx-runtime'
import type { ComponentProps } from 'react'
import { isValidElement, memo, useDeferredValue, useMemo } from 'react'
import { Fragment, jsx, jsxs } from 'react/jsx-runtime'
import type { MarkdownTree } from '../reader/read-markdown.ts'
import { useReading } from '../reader/use-reading.ts'
import CodeView from './content-viewer-code.tsx'
import { PlainText, WaitingText } from './content-viewer-plain.tsx'

/** Text with Markdown: lines break where they are broken, no HTML of its own, nothing fetched. */
export default function MarkdownView({ text, isWriting }: { text: string; isWriting: boolean }) {
  const shown = useDeferredValue(text)
  const input = useMemo(() => ({ text: shown, isWriting }), [shown, isWriting])
  const reading = useReading({ task: 'markdown', input, text: shown, isWriting })
  if (!reading) return <WaitingText text={text} isWriting={isWriting} />
  if (reading.kind === 'refused') return <PlainText text={text} isWriting={isWriting} />
  return (
    <div className="rich-text">
      {reading.result
        .map((tree, index) => ({ index, tree }))
        .map(({ index, tree }) => (
          <MarkdownPiece
            key={index}
            tree={tree}
            hasCursor={isWriting && index === reading.result.length - 1}
          />
        ))}
    </div>
  )
}

interface MarkdownPieceProps {
  tree: MarkdownTree
  hasCursor: boolean
}

const MarkdownPiece = memo(
  ({ tree }: MarkdownPieceProps) =>
    toJsxRuntime(tree.root, {
      Fragment,
      jsx,
      jsxs,
      components: COMPONENTS,
      ignoreInvalidStyle: true,
      passKeys: true,
      passNode: false,
    }),
  (before, after) => before.tree.key === after.tree.key && before.hasCursor === after.hasCursor,
)

const COMPONENTS = {
  a: (props: ComponentProps<'a'>) => (
    <a {...props} rel="noopener noreferrer" target={props.href?.startsWith('#') ? undefined : '_blank'} />
  ),
  // It would be fetched from wherever the model says.
  img: ({ src, alt }: ComponentProps<'img'>) => (
    <a href={typeof src === 'string' ? src : undefined} target="_blank" rel="noopener noreferrer">
      {alt || 'Picture'}
    </a>
  ),
  pre: Fence,
}

function Fence({ children, ...props }: ComponentProps<'pre'>) {
  const code = isValidElement<ComponentProps<'code'>>(children) ? children.props : null
  if (typeof code?.children !== 'string') return <pre {...props}>{children}</pre>
  const language = /language-(\S+)/.exec(code.className ?? '')?.[1] ?? null
  return <CodeView code={code.children.replace(/\n$/, '')} language={language} isWriting={false} isBlock />
}
