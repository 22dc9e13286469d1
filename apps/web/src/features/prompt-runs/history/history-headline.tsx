import type { ListedPromptRun } from '@catenary/contracts'
import { firstPlainLine } from '../../../lib/text/plain-markdown.ts'
import { truncate } from '../../../lib/text/truncate.ts'
import { differencesOf } from './history-differences.ts'

const VALUE_MAX = 80

export interface HistoryHeadlineProps {
  id: string
  run: ListedPromptRun
  before: ListedPromptRun | undefined
}

export function HistoryHeadline({ id, run, before }: HistoryHeadlineProps) {
  const differences = differencesOf({ run, before })
  if (differences.length === 0) {
    return (
      <p id={id} className="min-w-0 truncate text-sm text-text">
        {run.textsDeleted
          ? 'Its texts are no longer kept'
          : firstPlainLine(run.aiResponse) ||
            (run.error ?? (run.status === 'cancelled' ? 'Stopped before its first word' : 'No answer yet'))}
      </p>
    )
  }
  return (
    <p id={id} className="min-w-0 truncate text-sm text-text">
      {differences.map(({ name, value }, index) => (
        <span key={name}>
          {index > 0 && <span className="text-text-3"> · </span>}
          <span className="text-ref">{name}</span> {truncate({ text: value, max: VALUE_MAX }) || 'empty'}
        </span>
      ))}
    </p>
  )
}
