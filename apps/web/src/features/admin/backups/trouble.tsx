import { useId, useState } from 'react'
import { Button } from '../../../components/ui/button.tsx'
import type { CopyTrouble } from './backup-texts.ts'

interface TroublesProps {
  troubles: readonly CopyTrouble[]
  takenAt: string
}

export function Troubles({ troubles, takenAt }: TroublesProps) {
  return troubles.map((trouble) => <Trouble key={trouble.text} takenAt={takenAt} {...trouble} />)
}

function Trouble({ text, log, takenAt }: CopyTrouble & { takenAt: string }) {
  const [isOpen, setIsOpen] = useState(false)
  const id = useId()
  return (
    <div className="grid gap-1.5 py-0.5 text-sm text-danger">
      <div className="flex items-baseline justify-between gap-4">
        <span className="min-w-0 wrap-anywhere">{text}</span>
        {log !== null && (
          <Button
            variant="link"
            className="font-medium text-danger"
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={() => setIsOpen(!isOpen)}
          >
            {isOpen ? 'Hide log' : 'Log'}
            <span className="sr-only"> of the copy of {takenAt}</span>
          </Button>
        )}
      </div>
      {log !== null && (
        <section
          id={id}
          hidden={!isOpen}
          aria-label={`Log of the copy of ${takenAt}`}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
          tabIndex={0}
          className="max-h-60 overflow-y-auto rounded-control border border-line bg-surface px-3 py-2 outline-offset-[-3px]"
        >
          <pre className="font-mono text-xs whitespace-pre-wrap text-text-2 wrap-anywhere">{log}</pre>
        </section>
      )}
    </div>
  )
}
