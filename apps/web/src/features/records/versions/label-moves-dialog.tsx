import type { LabelMove, VersionLabels } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorState } from '../../../components/error-state.tsx'
import { PlainDialog } from '../../../components/plain-dialog.tsx'
import { RelativeTime } from '../../../components/time/relative-time.tsx'
import { Badge } from '../../../components/ui/badge.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { Field } from '../../../components/ui/field.tsx'
import { Input } from '../../../components/ui/input.tsx'
import { Skeleton } from '../../../components/ui/skeleton.tsx'
import { errorReason } from '../../../lib/errors.ts'
import { useList } from '../../../lib/lists.ts'
import { fromClock } from '../../../lib/text/format-time.ts'
import { useTimeZone } from '../../../lib/time-zone.ts'
import { LabelChip } from './label-chip.tsx'
import { useUndo } from './use-undo-move.ts'
import { labelMovesQuery, liveAtQuery } from './version-labels.queries.ts'
import type { Versioned } from './versioned.ts'

export interface LabelMovesDialogProps {
  record: Versioned
  labels: VersionLabels['labels']
  mayChange: boolean
  onClose: () => void
}

export function LabelMovesDialog({ record, labels, mayChange, onClose }: LabelMovesDialogProps) {
  const { list, error, refetch, loadMore, isCutShort, retryMore } = useList(labelMovesQuery(record))
  const { undo, undoing } = useUndo(record)
  const moves = list?.items ?? []
  return (
    <PlainDialog title="Label history" description={record.name} className="max-w-[600px]" onClose={onClose}>
      {list && moves.length > 0 && <LiveAt record={record} />}
      {error && <ErrorState error={error} onRetry={refetch} className="py-6" />}
      {!list && !error && <Skeleton className="h-40" />}
      {list && moves.length === 0 && (
        <p className="text-sm text-text-2">
          No labels moved yet. Put a label on a version under Labels. Each move is recorded here and can be
          undone.
        </p>
      )}
      {moves.length > 0 && (
        <ol aria-label="Moves" className="divide-y divide-line rounded-card border border-line">
          {moves.map((move, index) => (
            <MoveRow
              key={move.id}
              move={move}
              pending={undoing === move.id}
              onUndo={
                mayChange && isLast({ moves, index, labels })
                  ? () => undo({ moveId: move.id, label: move.label })
                  : undefined
              }
            />
          ))}
        </ol>
      )}
      {list && !list.isWhole && (
        <Button
          variant="secondary"
          className="justify-self-center"
          onClick={isCutShort ? retryMore : loadMore}
        >
          {isCutShort ? 'Try again' : 'Show earlier moves'}
        </Button>
      )}
    </PlainDialog>
  )
}

/** The newest of its label, which is still where it was put. */
function isLast({
  moves,
  index,
  labels,
}: {
  moves: readonly LabelMove[]
  index: number
  labels: VersionLabels['labels']
}): boolean {
  const move = moves[index]
  if (moves.findIndex(({ label }) => label === move?.label) !== index) return false
  return (labels.find(({ label }) => label === move?.label)?.version ?? null) === move?.toVersion
}

function MoveRow({
  move: { label, fromVersion, toVersion, movedBy, movedAt, reason, override },
  pending,
  onUndo,
}: {
  move: LabelMove
  pending: boolean
  onUndo: (() => void) | undefined
}) {
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 px-3.5 py-2.5 text-sm">
      <div className="grid min-w-0 gap-1">
        <p className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
          <LabelChip label={label} />
          <span className="font-medium tabular-nums">{wayOf({ fromVersion, toVersion })}</span>
          {override && <Badge variant="warn">tests failed at the time</Badge>}
        </p>
        {reason !== '' && <p className="text-text-2 wrap-anywhere">{reason}</p>}
        <p className="text-xs text-text-3">
          {movedBy ?? 'Deleted account'} · <RelativeTime time={movedAt} />
        </p>
      </div>
      {onUndo && (
        <Button
          variant="secondary"
          size="sm"
          aria-label={`Undo: ${label} ${wayOf({ fromVersion, toVersion })}`}
          pending={pending}
          onClick={onUndo}
        >
          Undo
        </Button>
      )}
    </li>
  )
}

function wayOf({ fromVersion, toVersion }: Pick<LabelMove, 'fromVersion' | 'toVersion'>): string {
  if (toVersion === null) return `removed from ${fromVersion}`
  return fromVersion === null ? `put on ${toVersion}` : `${fromVersion} → ${toVersion}`
}

function LiveAt({ record }: { record: Versioned }) {
  const [moment, setMoment] = useState('')
  const date = fromClock({ local: moment, timeZone: useTimeZone() })
  const { data: moves, error } = useQuery({
    ...liveAtQuery({ record, at: date?.toISOString() ?? '' }),
    enabled: date !== null,
  })
  return (
    <Field label="Live at">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Input
          type="datetime-local"
          value={moment}
          onChange={(event) => setMoment(event.target.value)}
          className="w-56"
        />
        <div role="status" className="flex min-w-0 flex-wrap gap-x-4 gap-y-1 text-sm text-text-2">
          {error && errorReason(error)}
          {moves?.length === 0 && 'No version had a label then.'}
          {moves?.map(({ id, label, toVersion }) => (
            <span key={id} className="flex min-w-0 items-center gap-1.5">
              <LabelChip label={label} /> version {toVersion}
            </span>
          ))}
        </div>
      </div>
    </Field>
  )
}
