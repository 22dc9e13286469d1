import { useState } from 'react'
import { ContentViewer } from '../../components/content-viewer/content-viewer.tsx'
import { Button } from '../../components/ui/button.tsx'
import { viewFor } from '../runs/long-text.ts'
import { wordsText } from './ask-texts.ts'

export interface AskTextProps {
  title: string
  text: string
  /** Left of how long it is. */
  action?: React.ReactNode
}

/** What is decided on. Whoever decides may see it letter by letter, as a rendered text hides some. */
export function AskText({ title, text, action }: AskTextProps) {
  const [isAsWritten, setIsAsWritten] = useState(false)
  const view = isAsWritten ? 'source' : viewFor(text)
  return (
    <div className="min-w-0">
      <ContentViewer
        bare
        title={title}
        content={text}
        view={view}
        className="rounded-none border-0 bg-transparent"
      />
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 pb-2.5">
        {action}
        <Button
          variant="ghost"
          size="sm"
          aria-pressed={isAsWritten}
          onClick={() => setIsAsWritten(!isAsWritten)}
          className="-ml-2.5 aria-pressed:bg-hover"
        >
          As written
        </Button>
        <span className="ml-auto text-sm text-text-3">{wordsText(text)}</span>
      </div>
    </div>
  )
}
