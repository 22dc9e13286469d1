import type { AssertionResult, Evaluation } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { BanIcon, CheckIcon, XIcon } from 'lucide-react'
import { Suspense } from 'react'
import { Link } from 'wouter'
import { ErrorState } from '../../components/error-state.tsx'
import { part } from '../../components/part.tsx'
import { PlainDialog } from '../../components/plain-dialog.tsx'
import { Button } from '../../components/ui/button.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { cn } from '../../lib/utils.ts'
import { formatCost, formatDuration } from '../runs/format-metrics.ts'
import { statusText } from './evaluation-cell.tsx'
import { cellQuery } from './evaluations.queries.ts'
import type { CellPlace } from './use-cell-focus.ts'

const PromptRun = part(() => import('../prompt-runs/prompt-run.tsx'))

interface CellDialogProps {
  evaluation: Evaluation
  place: CellPlace
  targetName: string
  onClose: () => void
}

export function CellDialog({ evaluation, place, targetName, onClose }: CellDialogProps) {
  const { id, kind, recordId, cases, cells, targets, startedBy } = evaluation
  const cell = cells[place.row * targets.length + place.column]
  const where = { evaluationId: id, casePosition: place.row, targetPosition: place.column }
  const { data, error, refetch } = useQuery(cellQuery({ ...where, status: cell?.status }))
  const metrics = [
    cell?.durationMs == null ? null : formatDuration(cell.durationMs),
    cell?.costUsd == null ? null : formatCost(cell.costUsd),
    cell?.reusedFrom == null ? null : `reused from evaluation #${cell.reusedFrom}`,
  ].filter((metric) => metric !== null)
  return (
    <PlainDialog
      title={cases[place.row]?.name}
      description={[targetName, ...metrics].join(' · ')}
      className="max-w-[820px]"
      onClose={onClose}
    >
      {cell && (cell.status === 'error' || cell.status === 'waiting' || cell.status === 'running') && (
        <p className={cn('text-sm', cell.status === 'error' ? 'text-danger' : 'text-text-2')}>
          {statusText(cell.status, cell.reason)}
        </p>
      )}
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton className="h-20" />}
      {data && data.results.length > 0 && (
        <ul aria-label="Assertions" className="grid gap-2">
          {numbered(data.results).map(({ number, item }) => (
            <Result key={number} result={item} />
          ))}
        </ul>
      )}
      {data && data.executionId !== null && (
        <CellRun kind={kind} recordId={recordId} executionId={data.executionId} />
      )}
      {data && data.executionId === null && data.status !== 'waiting' && data.status !== 'running' && (
        <p className="text-sm text-text-3">
          {data.status === 'private'
            ? `It uses ${startedBy}’s private values; only they can see the result.`
            : 'The run belongs to someone else or was deleted, so only its result is shown.'}
        </p>
      )}
    </PlainDialog>
  )
}

interface CellRunProps {
  kind: Evaluation['kind']
  recordId: number
  executionId: number
}

function CellRun({ kind, recordId, executionId }: CellRunProps) {
  if (kind === 'chain') {
    return (
      <Button variant="secondary" className="justify-self-start" asChild>
        <Link href={`/chains/${recordId}?run=${executionId}`}>Open the run</Link>
      </Button>
    )
  }
  return (
    <Suspense fallback={<Skeleton className="h-40 rounded-control" />}>
      <PromptRun promptId={recordId} executionId={executionId} />
    </Suspense>
  )
}

function Result({ result: { type, passed, reason, metric, results } }: { result: AssertionResult }) {
  const Icon = passed === null ? BanIcon : passed ? CheckIcon : XIcon
  const tone = passed === null ? 'text-text-3' : passed ? 'text-ok' : 'text-danger'
  return (
    <li className="grid grid-cols-[16px_minmax(0,1fr)] gap-x-2.5 gap-y-1 text-sm">
      <span className="flex h-lh items-center">
        <Icon aria-hidden="true" className={cn('size-4', tone)} />
      </span>
      <span className="min-w-0 wrap-anywhere">
        <span className="font-mono text-xs text-text-2">{type}</span>
        {metric !== null && <span className="text-xs text-text-3"> · {metric}</span>}
        <span className={cn('block', passed === false && 'text-danger')}>
          {passed === null && 'Not run: '}
          {reason}
        </span>
      </span>
      {results && (
        <ul aria-label={`Of ${type}`} className="col-start-2 grid gap-1.5">
          {numbered(results).map(({ number, item }) => (
            <Result key={number} result={item} />
          ))}
        </ul>
      )}
    </li>
  )
}

/** Results never change their order, and nothing else tells them apart. */
function numbered<Item>(items: readonly Item[]): { number: number; item: Item }[] {
  return items.map((item, number) => ({ number, item }))
}
