import type { ListedPromptVersion, VersionFigures } from '@catenary/contracts'
import { RelativeTime } from '../../components/relative-time.tsx'
import { formatCost, formatCount, formatSeconds } from '../../components/run/figures.ts'
import { Badge } from '../../components/ui/badge.tsx'
import { ChoiceList, ChoiceListItem } from '../../components/ui/choice-list.tsx'

export interface VersionsListProps {
  /** Newest first. */
  versions: readonly ListedPromptVersion[]
  /** What runs of them came to; of some there may be none. */
  figures: readonly VersionFigures[]
  selected: number
  onSelect: (number: number) => void
}

/** Every version with its author and age; the arrow keys go through them. */
export function VersionsList({ versions, figures, selected, onSelect }: VersionsListProps) {
  return (
    <ChoiceList
      aria-label="Versions"
      value={String(selected)}
      onValueChange={(number) => onSelect(Number(number))}
      className="min-h-0 overflow-y-auto p-2"
    >
      {versions.map(({ number, note, author, createdAt }, index) => (
        <ChoiceListItem key={number} value={String(number)}>
          <span className="flex min-h-5 items-center gap-2 text-sm font-medium text-text">
            Version {number}
            {index === 0 && <Badge variant="accent">Current</Badge>}
          </span>
          {note !== '' && <span className="line-clamp-2 text-xs text-text-2 wrap-anywhere">{note}</span>}
          <span className="truncate text-xs text-text-3">
            {author ?? 'Deleted account'} · <RelativeTime time={createdAt} />
          </span>
          <Figures figures={figures.find(({ version }) => version === number)} />
        </ChoiceListItem>
      ))}
    </ChoiceList>
  )
}

function Figures({ figures }: { figures: VersionFigures | undefined }) {
  if (figures === undefined) return null
  const { runs, medianMs, costUsd } = figures
  return (
    <span className="truncate text-xs text-text-3 tabular-nums">
      {formatCount(runs)} {runs === 1 ? 'run' : 'runs'}
      {medianMs !== null && ` · ${formatSeconds(medianMs)} s`}
      {costUsd !== null && ` · ${formatCost(costUsd)}`}
    </span>
  )
}
