import type { ListedPromptRun, PromptRun } from '@catenary/contracts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { ChevronRightIcon, ColumnsIcon, HistoryIcon } from 'lucide-react'
import { useState } from 'react'
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { Skeleton } from '../../../components/ui/skeleton.tsx'
import { errorMessage } from '../../../lib/errors.ts'
import { toggleId } from '../../../lib/filters.ts'
import { useSession } from '../../../lib/session/session.tsx'
import { toast } from '../../../lib/toast.ts'
import { OlderRuns } from '../../runs/older-runs.tsx'
import { RatedFilter } from '../../runs/rating/rated-filter.tsx'
import { historyQuery, useClearHistory, useDeleteRun, useReadRun } from '../prompt-runs.queries.ts'
import { COMPARED_MAX, type ExecuteState } from '../use-execute.ts'
import { HistoryRow } from './history-row.tsx'

export interface HistoryPaneProps {
  state: ExecuteState
  /** null: where there are runs. */
  isOpen: boolean | null
  onToggle?: ((isOpen: boolean) => void) | undefined
  onSaveTest?: ((executionId: number) => void) | undefined
}

type Question = { kind: 'clear' } | { kind: 'delete'; id: number } | null

export function HistoryPane({ state, isOpen: wanted, onToggle, onSaveTest }: HistoryPaneProps) {
  const { prompt, view, changeView, isRunning } = state
  const { user } = useSession()
  const [question, setQuestion] = useState<Question>(null)
  const [ticked, setTicked] = useState<readonly number[]>([])
  const history = useInfiniteQuery({ ...historyQuery(prompt.id, view.rated), enabled: wanted !== false })
  const runs = history.data?.pages.flatMap(({ items }) => items) ?? []
  const isOpen = wanted ?? (runs.length > 0 || history.isError || view.rated !== null)
  const readRun = useReadRun(prompt.id)
  const withWhole = (act: (run: PromptRun) => void) => async (listed: ListedPromptRun) => {
    try {
      act(await readRun(listed))
    } catch (error) {
      toast({ title: 'Error', description: errorMessage(error), variant: 'destructive' })
    }
  }
  const runAgain = withWhole(state.runAgain)
  const takeInputs = withWhole(state.takeInputs)
  const chosen = ticked.filter((id) => runs.some((run) => run.id === id))
  const hasOwn = runs.some(({ executedBy }) => executedBy === user?.username)
  return (
    <section aria-label="Execution history" className="grid content-start gap-2.5">
      <div className="flex min-h-8 items-center gap-1">
        <h2 className="mr-auto text-sm font-medium tracking-normal text-text-2">
          {onToggle ? (
            <Button
              variant="ghost"
              size="sm"
              aria-expanded={isOpen}
              onClick={() => onToggle(!isOpen)}
              className="-ml-2 px-2"
            >
              <ChevronRightIcon className={isOpen ? 'rotate-90' : ''} />
              Execution history
            </Button>
          ) : (
            'Execution history'
          )}
        </h2>
        {isOpen && chosen.length > 0 && (
          <Button
            variant="secondary"
            size="sm"
            disabled={chosen.length < 2}
            onClick={() => changeView({ compared: chosen.toSorted((a, b) => a - b) })}
          >
            <ColumnsIcon />
            {chosen.length < 2 ? 'Select another run to compare' : `Compare ${chosen.length} runs`}
          </Button>
        )}
        {isOpen && hasOwn && (
          <Button
            variant="ghost"
            size="sm"
            className="-mr-2.5 text-danger hover:text-danger"
            onClick={() => setQuestion({ kind: 'clear' })}
          >
            Clear history
          </Button>
        )}
      </div>
      {isOpen && (runs.length > 0 || view.rated !== null) && (
        <RatedFilter value={view.rated} onChange={(rated) => changeView({ rated })} />
      )}
      {isOpen && history.isPending && <HistorySkeleton />}
      {isOpen && history.error && !history.data && (
        <ErrorState
          title="The history could not be loaded"
          error={history.error}
          onRetry={() => void history.refetch()}
          className="py-6"
        />
      )}
      {isOpen && history.data && runs.length === 0 && (
        <p className="flex items-center gap-2 rounded-card border border-dashed border-line px-3.5 py-4 text-sm text-text-2">
          <HistoryIcon className="size-4 shrink-0 text-text-3" />
          {view.rated === null
            ? 'No runs yet. Each one is kept here with its inputs, answer, tokens, cost and time.'
            : `You rated none of the runs ${view.rated}.`}
        </p>
      )}
      {isOpen && runs.length > 0 && (
        <ul className="overflow-hidden rounded-card border border-line bg-surface">
          {runs.map((run, index) => (
            <HistoryRow
              key={run.id}
              promptId={prompt.id}
              run={run}
              before={runs[index + 1]}
              promptVersion={prompt.version}
              isOwn={run.executedBy === user?.username}
              isTicked={chosen.includes(run.id)}
              onTick={
                chosen.includes(run.id) || chosen.length < COMPARED_MAX
                  ? () => setTicked(toggleId({ ids: chosen, id: run.id }))
                  : undefined
              }
              onRunAgain={isRunning ? undefined : () => void runAgain(run)}
              onTakeInputs={() => void takeInputs(run)}
              onDelete={() => setQuestion({ kind: 'delete', id: run.id })}
              onSaveTest={onSaveTest && (() => onSaveTest(run.id))}
            />
          ))}
        </ul>
      )}
      {isOpen && <OlderRuns history={history} />}
      <HistoryQuestion promptId={prompt.id} question={question} onClose={() => setQuestion(null)} />
    </section>
  )
}

function HistoryQuestion({
  promptId,
  question,
  onClose,
}: {
  promptId: number
  question: Question
  onClose: () => void
}) {
  const clear = useClearHistory(promptId)
  const remove = useDeleteRun(promptId)
  return (
    <>
      <ConfirmDialog
        open={question?.kind === 'clear'}
        onOpenChange={(open) => open || onClose()}
        title="Clear history?"
        description="All your runs of this prompt are deleted, with their answers. This can’t be undone."
        confirmLabel="Clear history"
        pending={clear.isPending}
        onConfirm={() => clear.mutate(undefined, { onSettled: onClose })}
      />
      <ConfirmDialog
        open={question?.kind === 'delete'}
        onOpenChange={(open) => open || onClose()}
        title="Delete this run?"
        description="The run is deleted with its answer. This can’t be undone."
        pending={remove.isPending}
        onConfirm={() => question?.kind === 'delete' && remove.mutate(question.id, { onSettled: onClose })}
      />
    </>
  )
}

function HistorySkeleton() {
  return (
    <div className="grid gap-2">
      <Skeleton className="h-11" />
      <Skeleton className="h-11" />
      <Skeleton className="h-11" />
    </div>
  )
}
