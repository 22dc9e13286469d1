import { GitCompareIcon } from 'lucide-react'
import { Button } from '../ui/button.tsx'

export interface Difference {
  label: string
  mine: string
  theirs: string
}

export interface ConflictPanelProps {
  noun: string
  differences: readonly Difference[]
  mineLabel?: string
  keepLabel?: string
  onKeepMine: () => void
  onTakeTheirs: () => void
  pending?: boolean
}

export function ConflictPanel({
  noun,
  differences,
  mineLabel = 'Yours',
  keepLabel = 'Keep mine and save',
  onKeepMine,
  onTakeTheirs,
  pending,
}: ConflictPanelProps) {
  return (
    <section
      ref={showPanel}
      role="alert"
      tabIndex={-1}
      aria-label="Conflicting changes"
      className="grid gap-3 rounded-control border border-warn/40 bg-warn-soft p-3 outline-none focus-visible:border-warn"
    >
      <div className="flex gap-2 text-sm text-warn">
        <GitCompareIcon className="mt-0.5 size-4 shrink-0" />
        <p>
          This {noun} has changed since you opened it. Keep {mineLabel.toLowerCase()}, or use what is saved
          now.
        </p>
      </div>
      {differences.map(({ label, mine, theirs }) => (
        <div key={label} className="grid gap-1.5">
          <h3 className="text-xs font-medium tracking-normal text-text-2">{label}</h3>
          <div className="grid gap-2 sm:grid-cols-2">
            <Side label={label} title={mineLabel} text={mine} />
            <Side label={label} title="Saved now" text={theirs} />
          </div>
        </div>
      ))}
      {differences.length === 0 && <p className="text-sm text-text-2">Both are the same.</p>}
      <div className="flex flex-wrap justify-end gap-2">
        <Button variant="secondary" size="sm" disabled={pending} onClick={onTakeTheirs}>
          Use what is saved
        </Button>
        <Button variant="secondary" size="sm" pending={pending ?? false} onClick={onKeepMine}>
          {keepLabel}
        </Button>
      </div>
    </section>
  )
}

/** The person may have scrolled away from where it appears, and is asked something. */
function showPanel(panel: HTMLElement | null): void {
  panel?.scrollIntoView?.({ block: 'nearest' })
  panel?.focus({ preventScroll: true })
}

function Side({ label, title, text }: { label: string; title: string; text: string }) {
  return (
    <div className="grid content-start overflow-hidden rounded-tag border border-line bg-surface">
      <p className="border-b border-line px-2 py-0.5 text-2xs text-text-3">{title}</p>
      <textarea
        readOnly
        aria-label={`${label}: ${title}`}
        value={text}
        className="prompt-text field-sizing-content max-h-40 min-h-10 w-full resize-none p-2 text-text pointer-coarse:min-h-11"
      />
    </div>
  )
}
