import type { StructuredAnswer } from '@catenary/contracts'
import { CodeXmlIcon } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import { type ContentView, ContentViewer } from '../../components/content-viewer/content-viewer.tsx'
import { Button } from '../../components/ui/button.tsx'
import { jsonAnswerOf } from './json-answer-of.ts'
import { viewFor } from './long-text.ts'

export interface ResultViewerProps {
  title: string
  text: string
  structured?: StructuredAnswer | undefined
  limit?: string
  foot?: ReactNode
}

export function ResultViewer({ title, text, structured, ...card }: ResultViewerProps) {
  const [chosen, setChosen] = useState<ContentView | null>(null)
  const view = chosen ?? viewFor(text)
  const isSource = view === 'source'
  const answer = useMemo(() => jsonAnswerOf(structured), [structured])
  return (
    <ContentViewer
      title={title}
      content={text}
      view={view}
      answer={answer}
      {...card}
      tools={
        <Button
          variant="ghost"
          size="sm"
          aria-pressed={isSource}
          onClick={() => setChosen(isSource ? 'rendered' : 'source')}
          className="aria-pressed:bg-accent-soft aria-pressed:text-accent-text"
        >
          <CodeXmlIcon />
          <span className="@max-lg:sr-only">Source</span>
        </Button>
      }
    />
  )
}
