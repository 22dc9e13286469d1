import type { Evaluation } from '@catenary/contracts'
import { hasEnded } from '@catenary/domain'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useDeferredValue, useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { DialogSuspense } from '../../components/dialog-suspense.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { PageSkeleton } from '../../components/frame-menu.tsx'
import { part } from '../../components/part.tsx'
import { Button } from '../../components/ui/button.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { PHONE, useMediaQuery } from '../../lib/appearance/media-query.ts'
import { useDocumentTitle } from '../../lib/document-title.ts'
import { errorMessage } from '../../lib/errors.ts'
import { countText } from '../../lib/text/count-text.ts'
import { formatTime } from '../../lib/text/format-time.ts'
import { useTimeZone } from '../../lib/time-zone.ts'
import { toast } from '../../lib/toast.ts'
import { cn } from '../../lib/utils.ts'
import { useModelLabel } from '../model-settings/models.ts'
import { formatCost, formatDuration } from '../runs/format-metrics.ts'
import { CellDialog } from './cell-dialog.tsx'
import { CostPlot, type CostPlotProps } from './cost-plot.tsx'
import { EarlierDialog } from './earlier-dialog.tsx'
import { EvaluationGrid } from './evaluation-grid.tsx'
import { EvaluationHeader } from './evaluation-header.tsx'
import { gatesOf, rowsOf, shownRows, summariesOf, tagsOf } from './evaluation-rows.ts'
import { estimateText, targetName } from './evaluation-text.ts'
import { EvaluationSearch, EvaluationToolbar } from './evaluation-toolbar.tsx'
import { type EvaluationView, useEvaluationView } from './evaluation-view.ts'
import { evaluationQuery, evaluationsQuery, useDeleteEvaluation } from './evaluations.queries.ts'
import { GateBanner } from './gate-banner.tsx'
import { ProgressBanner } from './progress-banner.tsx'
import { HEAD, HEAD_ROWS } from './target-head.tsx'
import type { CellPlace } from './use-cell-focus.ts'

const RunEvaluationDialog = part(() => import('./run-evaluation-dialog.tsx'))

export function EvaluationPage({ id }: { id: number }) {
  const title = `Evaluation #${id}`
  useDocumentTitle(title)
  const { data, error, refetch } = useQuery(evaluationQuery(id))
  if (data) return <Shown evaluation={data} />
  if (error) {
    return (
      <PageSkeleton title={title}>
        <ErrorState
          title="The evaluation could not be loaded"
          error={error}
          onRetry={() => void refetch()}
          className="flex-1"
        />
      </PageSkeleton>
    )
  }
  return (
    <PageSkeleton title={title}>
      <EvaluationSkeleton />
    </PageSkeleton>
  )
}

type Opened = { cell: CellPlace } | 'run' | 'earlier' | 'delete' | null

function Shown({ evaluation }: { evaluation: Evaluation }) {
  const [, navigate] = useLocation()
  const isPhone = useMediaQuery(PHONE)
  const labelOf = useModelLabel()
  const [view, changeView] = useEvaluationView()
  const [opened, setOpened] = useState<Opened>(null)
  const { kind, recordId, targets, isCurrent } = evaluation
  const recordHref = kind === 'prompt' ? `/execute/${recordId}` : `/chains/${recordId}`
  const { data: all = [] } = useQuery(evaluationsQuery({ kind, id: recordId }))
  // The press shows at once; the rows follow, and yield to the next press.
  const wanted = useDeferredValue(view)
  const baseline = Math.min(wanted.baseline ?? evaluation.baseline, targets.length - 1)
  const rows = useMemo(() => rowsOf(evaluation, baseline), [evaluation, baseline])
  const summaries = useMemo(() => summariesOf(evaluation, baseline), [evaluation, baseline])
  // While results come in, no row moves away from under the pointer.
  const sort = wanted.sort === 'failures' && evaluation.status === 'running' ? 'test' : wanted.sort
  const shown = useMemo(() => shownRows(rows, { ...wanted, sort }), [rows, wanted, sort])
  const names = useMemo(() => targets.map((target) => targetName(target, labelOf)), [targets, labelOf])
  const close = () => setOpened(null)
  // The same for as long as the page is there: unchanged rows are not redrawn.
  const openCell = useCallback((cell: CellPlace) => setOpened({ cell }), [])
  const pin = useCallback((position: number) => changeView({ baseline: position }), [changeView])
  return (
    <>
      <EvaluationHeader
        evaluation={evaluation}
        earlier={all.filter(({ id }) => id < evaluation.id).length}
        recordHref={recordHref}
        isPhone={isPhone}
        search={<EvaluationSearch view={view} onChange={changeView} />}
        onEarlier={() => setOpened('earlier')}
        onRun={() => setOpened('run')}
        onDelete={() => setOpened('delete')}
      />
      <ProgressBanner evaluation={evaluation} />
      {gatesOf(evaluation).map((gate) => (
        <GateBanner
          key={gate.label}
          gate={gate}
          isCurrent={isCurrent}
          onShow={() => changeView({ ...EVERYTHING, failing: gate.version })}
        />
      ))}
      <div className="flex min-h-0 flex-1 flex-col gap-3 px-6 py-3 max-md:px-3.5">
        <EvaluationToolbar
          view={view}
          onChange={changeView}
          tags={tagsOf(evaluation)}
          regressions={rows.reduce((sum, row) => sum + row.regressions, 0)}
          isPhone={isPhone}
        />
        <EvaluationGrid
          evaluation={evaluation}
          rows={shown}
          summaries={summaries}
          names={names}
          baseline={baseline}
          onBaseline={pin}
          onOpen={openCell}
          corner={
            <EvaluationCorner
              tests={evaluation.cases.length}
              targets={targets.map((_, position) => ({
                name: names[position] ?? '',
                summary: summaries[position] as (typeof summaries)[number],
              }))}
              baseline={baseline}
            />
          }
          empty={<NothingShown view={wanted} onReset={() => changeView(EVERYTHING)} />}
        />
      </div>
      <EvaluationFooter evaluation={evaluation} />
      {opened === 'run' && (
        <DialogSuspense>
          <RunEvaluationDialog
            record={{ kind, id: recordId, name: evaluation.recordName }}
            initial={choicesOf(evaluation)}
            onStarted={(started) => {
              close()
              navigate(`/evaluations/${started}`)
            }}
            onClose={close}
          />
        </DialogSuspense>
      )}
      {opened === 'earlier' && <EarlierDialog evaluations={all} currentId={evaluation.id} onClose={close} />}
      {opened === 'delete' && (
        <DeleteEvaluationDialog
          evaluation={evaluation}
          onClose={close}
          onDeleted={() => navigate(recordHref)}
        />
      )}
      {opened !== null && typeof opened === 'object' && (
        <CellDialog
          evaluation={evaluation}
          place={opened.cell}
          targetName={names[opened.cell.column] ?? ''}
          onClose={close}
        />
      )}
    </>
  )
}

function choicesOf({ suiteId, targets }: Evaluation) {
  return {
    ...(suiteId === null ? {} : { suiteId }),
    versions: [...new Set(targets.map(({ version }) => version))],
    models: [...new Set(targets.flatMap(({ model }) => model ?? []))],
  }
}

const EVERYTHING: Pick<EvaluationView, 'search' | 'tags' | 'onlyRegressions' | 'failing'> = {
  search: '',
  tags: [],
  onlyRegressions: false,
  failing: null,
}

function NothingShown({ view, onReset }: { view: EvaluationView; onReset: () => void }) {
  const isFiltered = view.search !== '' || view.tags.length > 0 || view.failing !== null
  return (
    <EmptyState
      title={view.onlyRegressions && !isFiltered ? 'No regressions' : 'No test matches'}
      about="evaluations"
      description={
        view.onlyRegressions && !isFiltered
          ? 'No target fails a test that the pinned one passes.'
          : 'Try other words or tags.'
      }
      action={
        <Button variant="secondary" onClick={onReset}>
          Show all tests
        </Button>
      }
    />
  )
}

function EvaluationSkeleton() {
  return (
    <div role="status" className="grid animate-late content-start gap-3 px-6 py-4">
      <span className="sr-only">Loading the evaluation...</span>
      <Skeleton className="h-8 w-64" />
      <Skeleton className="h-44 rounded-card" />
      {['a', 'b', 'c', 'd', 'e'].map((row) => (
        <Skeleton key={row} className="h-14 rounded-control" />
      ))}
    </div>
  )
}

interface DeleteEvaluationDialogProps {
  evaluation: Evaluation
  onClose: () => void
  onDeleted: () => void
}

function DeleteEvaluationDialog({ evaluation: { id }, onClose, onDeleted }: DeleteEvaluationDialogProps) {
  const { mutate, isPending } = useDeleteEvaluation()
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Delete evaluation #${id}?`}
      description="Its results and runs will be deleted. Protected labels that rely on them will require a new evaluation. This action cannot be undone."
      pending={isPending}
      onConfirm={() =>
        mutate(id, {
          onSuccess: () => {
            toast({ title: 'Evaluation deleted' })
            onDeleted()
          },
          onError: (error) => {
            toast({ title: 'Failed to delete', description: errorMessage(error), variant: 'destructive' })
            onClose()
          },
        })
      }
    />
  )
}

function EvaluationFooter({ evaluation }: { evaluation: Evaluation }) {
  const { status, cells, costUsd, uncounted, estimate, startedAt, finishedAt, startedBy } = evaluation
  const isKept = costUsd === null
  const reused = cells.filter((cell) => hasEnded(cell) && cell.reusedFrom !== null).length
  const timeZone = useTimeZone()
  const took = finishedAt === null ? null : Date.parse(finishedAt) - Date.parse(startedAt)
  const facts = [
    isKept ? status : null,
    countText(cells.length, 'result'),
    reused === 0 ? null : `${reused} reused`,
    took === null ? null : formatDuration(took),
    formatTime({ time: startedAt, timeZone }),
    startedBy,
  ].filter((fact) => fact !== null)
  return (
    <footer className="flex shrink-0 flex-wrap items-center justify-between gap-x-6 gap-y-1 border-t border-line px-6 py-2 text-sm text-text-2 max-md:px-3.5">
      <span>
        {isKept ? (
          `Uses private values: only ${startedBy} sees more.`
        ) : (
          <>
            This evaluation cost <span className="text-text">{formatCost(costUsd)}</span>
            {estimate !== null && `, estimated ${estimateText(estimate)}`}
            {uncounted !== null && uncounted > 0 && ` · ${countText(uncounted, 'result')} without a price`}
          </>
        )}
      </span>
      <span className="max-md:hidden">{facts.join(' · ')}</span>
    </footer>
  )
}

interface EvaluationCornerProps extends CostPlotProps {
  tests: number
}

/** What each line of the heads is; where there is room beside few targets, how good they are for what they cost. */
function EvaluationCorner({ tests, ...plot }: EvaluationCornerProps) {
  const line = 'flex items-center'
  return (
    <div className="@container h-full text-xs text-text-2">
      <div className="hidden px-3.5 py-2.5 @min-[19rem]:block">
        <CostPlot {...plot} />
      </div>
      <div className={cn(HEAD, '@min-[19rem]:hidden')}>
        <p className={cn(HEAD_ROWS.name, line)}>
          {countText(tests, 'test')}, {countText(plot.targets.length, 'target')}
        </p>
        <p className={HEAD_ROWS.model} />
        <p className={cn(HEAD_ROWS.passed, line, 'max-md:hidden')}>passed, with its 95 % interval</p>
        <p className={HEAD_ROWS.bar} />
        <p className="flex min-h-5 items-center max-md:hidden">cost, median time</p>
      </div>
    </div>
  )
}
