import { Badge } from '../../components/ui/badge.tsx'
import type { EvaluatedVersion } from './run-evaluation-form.ts'

interface VersionChoicesProps {
  versions: readonly EvaluatedVersion[]
  chosen: readonly number[]
  onToggle: (number: number) => void
}

/** Which versions are run. */
export function VersionChoices({ versions, chosen, onToggle }: VersionChoicesProps) {
  return (
    <fieldset className="grid min-w-0 gap-1.5">
      <legend className="mb-1.5 text-sm font-medium">Versions</legend>
      <div className="grid max-h-46 overflow-y-auto rounded-control border border-line p-1">
        {versions.map(({ number, note, labels }) => (
          <label
            key={number}
            className="flex min-h-8 min-w-0 items-center gap-2.5 rounded-tag px-2 text-sm hover:bg-hover pointer-coarse:min-h-11"
          >
            <input
              type="checkbox"
              checked={chosen.includes(number)}
              onChange={() => onToggle(number)}
              className="size-4 shrink-0 accent-accent"
            />
            <span className="shrink-0">v{number}</span>
            {labels.map((label) => (
              <Badge key={label} variant="accent">
                {label}
              </Badge>
            ))}
            <span title={note} className="min-w-0 truncate text-xs text-text-3">
              {note}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
