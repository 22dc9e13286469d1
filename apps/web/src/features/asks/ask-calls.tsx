import type { Ask } from '@catenary/contracts'
import { SendIcon } from 'lucide-react'
import { ContentViewer } from '../../components/content-viewer/content-viewer.tsx'

/** What is sent once it is answered, to whom: part of what is decided on. */
export function AskCalls({ calls = [] }: Pick<Ask, 'calls'>) {
  if (calls.length === 0) return null
  return (
    <section aria-label="What is sent then" className="grid gap-2 border-t border-line px-4 py-3">
      <p className="flex gap-2 text-sm text-text-2">
        <SendIcon aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-text-3" />
        <span className="min-w-0 wrap-anywhere">
          If the run goes on, this is sent. Names in {'{{ }}'} or {'$< >'} stand for what the answer, a later
          step or a variable brings.
        </span>
      </p>
      {calls.map(({ position, title, text }) => (
        <div key={position} className="grid min-w-0 gap-1">
          <p dir="auto" className="text-sm font-medium wrap-anywhere">
            Step {position + 1}
            {title !== '' && `: ${title}`}
          </p>
          <ContentViewer bare title={title} content={text} view="source" />
        </div>
      ))}
    </section>
  )
}
