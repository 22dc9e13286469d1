import { Suspense } from 'react'
import { cn } from '../../lib/utils.ts'
import { part } from '../part.tsx'

const Highlighted = part(() => import('./content-viewer-highlight.tsx'))

export interface CodeViewProps {
  code: string
  /** As the text names it; null to guess. */
  language: string | null
  isWriting: boolean
  /** Stands between paragraphs. */
  isBlock?: boolean
}

/** Code with its words coloured; plain while it is being written. */
export default function CodeView({ code, language, isWriting, isBlock = false }: CodeViewProps) {
  const plain = <code>{code}</code>
  return (
    <pre
      dir="ltr"
      className={cn(
        'prompt-text wrap-anywhere whitespace-pre-wrap text-text',
        isBlock && 'code-block rounded-control border border-line bg-inset px-3 py-2.5',
      )}
    >
      {isWriting ? (
        plain
      ) : (
        <Suspense fallback={plain}>
          <Highlighted code={code} language={language} />
        </Suspense>
      )}
      {isWriting && <span className="writing-cursor" />}
    </pre>
  )
}
