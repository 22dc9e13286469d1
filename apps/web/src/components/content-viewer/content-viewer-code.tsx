import { Suspense } from 'react'
import { cn } from '../../lib/utils.ts'
import { part } from '../part.tsx'

const Highlighted = part(() => import('./content-viewer-highlight.tsx'))

export interface CodeViewProps {
  code: string
  language: string | null
  isWriting: boolean
  isBlock?: boolean
}

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
