import type { VersionLabels, VersionMetrics, VersionTests } from '@catenary/contracts'
import { RelativeTime } from '../../../components/time/relative-time.tsx'
import { ChoiceList, ChoiceListItem } from '../../../components/ui/choice-list.tsx'
import { formatCost, formatCount } from '../../runs/format-metrics.ts'
import { LabelChip } from './label-chip.tsx'
import type { RailVersion } from './versioned.ts'

export interface VersionRailProps {
  versions: readonly RailVersion[]
  labels: VersionLabels['labels']
  metrics: readonly VersionMetrics[]
  tests: readonly VersionTests[]
  selected: number
  onSelect: (number: number) => void
}

export function VersionRail({ versions, labels, metrics, tests, selected, onSelect }: VersionRailProps) {
  return (
    <ChoiceList
      aria-label="Versions"
      value={String(selected)}
      onValueChange={(number) => onSelect(Number(number))}
      className="min-h-0 flex-1 overflow-y-auto p-2"
    >
      {versions.map((version, index) => (
        <ChoiceListItem key={version.number} value={String(version.number)} className="gap-0 py-2.5">
          <RailTitle
            version={version}
            isCurrent={index === 0}
            labels={labels.filter((label) => label.version === version.number).map(({ label }) => label)}
          />
          <span className="truncate text-xs text-text-2">
            {version.author ?? 'Deleted account'} · <RelativeTime time={version.createdAt} />
          </span>
          <RailMetrics
            metrics={metrics.find((metrics) => metrics.version === version.number)}
            tests={tests.find((tests) => tests.version === version.number)}
            areTested={tests.length > 0}
          />
        </ChoiceListItem>
      ))}
    </ChoiceList>
  )
}

function RailTitle({
  version: { number, note, summary },
  isCurrent,
  labels,
}: {
  version: RailVersion
  isCurrent: boolean
  labels: readonly string[]
}) {
  return (
    <span className="flex min-h-6 flex-wrap items-start justify-between gap-x-2 gap-y-1">
      <span className="line-clamp-2 min-w-0 flex-[1_1_8rem] text-sm text-text wrap-anywhere">
        <span className="sr-only">
          Version {number}
          {isCurrent && ' Current'}
        </span>{' '}
        <span aria-hidden="true" className="mr-2 font-semibold">
          {number}
        </span>
        {note ? <span dir="auto">{note}</span> : <span className="text-text-3">{summary}</span>}
      </span>
      {labels.length > 0 && (
        <span className="flex max-w-full min-w-0 flex-wrap gap-1">
          {labels.map((label) => (
            <LabelChip key={label} label={label} />
          ))}
        </span>
      )}
    </span>
  )
}

interface RailMetricsProps {
  metrics: VersionMetrics | undefined
  tests: VersionTests | undefined
  areTested: boolean
}

function RailMetrics({ metrics, tests, areTested }: RailMetricsProps) {
  if (metrics === undefined && !areTested) return null
  return (
    <span className="flex flex-wrap gap-x-3 text-xs text-text-2 tabular-nums">
      {metrics && (
        <span>
          {formatCount(metrics.runs)} {metrics.runs === 1 ? 'run' : 'runs'}
        </span>
      )}
      {areTested && <span>{tests ? `${tests.passed} of ${tests.cells} pass` : 'not tested'}</span>}
      {metrics && metrics.costUsd !== null && <span>{formatCost(metrics.costUsd / metrics.runs)} a run</span>}
    </span>
  )
}
