import { CodeXmlIcon } from 'lucide-react'
import { useState } from 'react'
import { type ContentView, ContentViewer } from '../../../components/content-viewer/content-viewer.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { viewFor } from './long-text.ts'

/** What a model answered: rendered, unless it is very long, with a switch to the text as it came. */
export function ResultViewer({ title, text }: { title: string; text: string }) {
  const [chosen, setChosen] = useState<ContentView | null>(null)
  const view = chosen ?? viewFor(text)
  const isSource = view === 'source'
  return (
    <ContentViewer
      title={title}
      content={text}
      view={view}
      tools={
        <Button
          variant="ghost"
          size="sm"
          aria-pressed={isSource}
          onClick={() => setChosen(isSource ? 'rendered' : 'source')}
          className="aria-pressed:bg-accent-soft aria-pressed:text-accent-text"
        >
          <CodeXmlIcon />
          <span className="@max-sm:sr-only">Source</span>
        </Button>
      }
    />
  )
}
