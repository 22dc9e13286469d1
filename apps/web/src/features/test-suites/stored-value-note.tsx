import { Button } from '../../components/ui/button.tsx'
import type { StoredValue } from './tested-run.queries.ts'

export interface StoredValueNoteProps {
  name: string
  stored: StoredValue
  /** The test has a value of its own for the name. */
  isCopied: boolean
  onCopy: (value: string) => void
}

const SHOWN = 400

/** A value that the run took from a variable, and that the test stores only on request. */
export function StoredValueNote({ name, stored, isCopied, onCopy }: StoredValueNoteProps) {
  const { value, isPrivate } = stored
  if (value === null) return <p className="text-xs text-text-3">It had no value in this run.</p>
  const from = isPrivate ? 'From your variable' : 'From the variable'
  return (
    <section
      aria-label={`Stored value of ${name}`}
      className="grid gap-1 rounded-control bg-inset px-2.5 py-2 text-xs text-text-2"
    >
      <div className="flex flex-wrap items-center justify-between gap-x-3">
        <span className="font-medium">{from}, in this run:</span>
        {!isCopied && (
          <Button
            variant="ghost"
            size="sm"
            aria-label={`Copy into the test: ${name}`}
            onClick={() => onCopy(value)}
          >
            Copy into the test
          </Button>
        )}
      </div>
      <p className="prompt-text whitespace-pre-wrap wrap-anywhere">{excerptOf(value)}</p>
      <p className="text-text-3">
        {isCopied
          ? isPrivate
            ? 'The test has a value of its own. Everyone who sees the test reads it.'
            : 'The test has a value of its own.'
          : 'Not saved in the test: each evaluation takes what the variable holds then.'}
      </p>
    </section>
  )
}

function excerptOf(value: string): string {
  if (value.length <= SHOWN) return value
  const left = (value.length - SHOWN).toLocaleString('en')
  return `${value.slice(0, SHOWN).toWellFormed()}… and ${left} more characters`
}
