import type { ListedEvaluation } from '@catenary/contracts'
import { Link } from 'wouter'
import { PlainDialog } from '../../components/plain-dialog.tsx'
import { RelativeTime } from '../../components/time/relative-time.tsx'
import { Badge } from '../../components/ui/badge.tsx'
import { cn } from '../../lib/utils.ts'
import { useModelLabel } from '../model-settings/models.ts'
import { formatCost } from '../runs/format-metrics.ts'
import { targetName } from './evaluation-text.ts'

interface EarlierDialogProps {
  evaluations: readonly ListedEvaluation[]
  currentId: number | null
  onClose: () => void
}

export function EarlierDialog({ evaluations, currentId, onClose }: EarlierDialogProps) {
  return (
    <PlainDialog title="Evaluations" className="max-w-[640px]" onClose={onClose}>
      <EvaluationList evaluations={evaluations} currentId={currentId} onOpen={onClose} />
    </PlainDialog>
  )
}

interface EvaluationListProps extends Omit<EarlierDialogProps, 'onClose'> {
  onOpen?: () => void
}

export function EvaluationList({ evaluations, currentId, onOpen }: EvaluationListProps) {
  const labelOf = useModelLabel()
  if (evaluations.length === 0) {
    return <p className="text-sm text-text-3">No evaluations yet</p>
  }
  return (
    <ul aria-label="Evaluations" className="grid gap-1">
      {evaluations.map((one) => (
        <li key={one.id}>
          <Link
            href={`/evaluations/${one.id}`}
            aria-current={one.id === currentId ? 'page' : undefined}
            onClick={onOpen}
            className={cn(
              'grid min-w-0 gap-0.5 rounded-control px-2.5 py-1.5 hover:bg-hover focus-visible:outline-offset-[-3px]',
              one.id === currentId && 'bg-accent-soft',
            )}
          >
            <span className="flex min-w-0 items-center gap-2 text-sm">
              <span className="font-medium">#{one.id}</span>
              <span className="truncate">{one.suiteName}</span>
              <StatusBadge evaluation={one} />
              <span className="ml-auto shrink-0 text-xs text-text-3">
                {one.costUsd === null ? '' : formatCost(one.costUsd)}
              </span>
            </span>
            <span className="flex min-w-0 gap-2 text-xs text-text-3">
              <span className="truncate">
                {one.targets.map((target) => targetName(target, labelOf)).join(', ')}
              </span>
              <span className="ml-auto shrink-0">
                {one.isMine ? '' : `${one.startedBy} · `}
                <RelativeTime time={one.startedAt} />
              </span>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}

function StatusBadge({
  evaluation: { status, passed, cells, ended, private: hidden },
}: {
  evaluation: ListedEvaluation
}) {
  if (passed === null || hidden === null) return <Badge variant="outline">{status}</Badge>
  if (status === 'running') return <Badge variant="accent">{`${ended} of ${cells}`}</Badge>
  if (status === 'stopped') return <Badge variant="warn">{`stopped at ${ended} of ${cells}`}</Badge>
  if (hidden === cells) return <Badge>private</Badge>
  const isFull = passed + hidden === cells
  const kept = hidden === 0 ? '' : ` · ${hidden} private`
  return <Badge variant={isFull ? 'ok' : 'danger'}>{`${passed} of ${cells - hidden} pass${kept}`}</Badge>
}
