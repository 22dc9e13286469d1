import { isWhole, type ListedPromptRun, type PromptRun } from '@catenary/contracts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { ChevronRightIcon, ColumnsIcon, HistoryIcon, Trash2Icon } from 'lucide-react'
import { useState } from 'react'
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { MoreMenu } from '../../../components/more-menu.tsx'
import { Button } from '../../../components/ui/button.tsx'
import {
  DropdownMenuItem,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
  DropdownMenuSeparator,
} from '../../../components/ui/dropdown-menu.tsx'
import { Skeleton } from '../../../components/ui/skeleton.tsx'
import { errorMessage } from '../../../lib/errors.ts'
import { toggleId } from '../../../lib/filters.ts'
import { useSession } from '../../../lib/session/session.tsx'
import { toast } from '../../../lib/toast.ts'
import { OlderRuns } from '../../runs/older-runs.tsx'
import type { RatedRuns } from '../../runs/rating/rated-filter.tsx'
import { RecentRuns } from '../../runs/recent-runs.tsx'
import { historyQuery, useClearHistory, useDeleteRun, useReadRun } from '../prompt-runs.queries.ts'
import { copyAnswer } from '../run-menu.tsx'
import { COMPARED_MAX, type ExecuteState } from '../use-execute.ts'
import { HistoryRow } from './history-row.tsx'

export interface HistoryPaneProps {
  state: ExecuteState
  isOpen: boolean
  onToggle?: ((isOpen: boolean) => void) | undefined
  onSaveTest?: ((executionId: number) => void) | undefined
}

type Question = { kind: 'clear' } | { kind: 'delete'; id: number } | null

export function HistoryPane({ state, isOpen, onToggle, onSaveTest }: HistoryPaneProps) {
  const { prompt, view, changeView, isRunning } = state
  const { user } = useSession()
  const [question, setQuestion] = useState<Question>(null)
  const [ticked, setTicked] = useState<readonly number[]>([])
  const history = useInfiniteQuery({ ...historyQuery(prompt.id, view.rated), enabled: isOpen })
  const runs = history.data?.pages.flatMap(({ items }) => items) ?? []
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
  const answerOf = (run: ListedPromptRun) =>
    isWhole(run) ? run.aiResponse : readRun(run).then(({ aiResponse }) => aiResponse)
  const chosen = ticked.filter((id) => runs.some((run) => run.id === id))
  const hasOwn = runs.some(({ executedBy }) => executedBy === user?.username)
  return (
    <section aria-label="Execution history" className="grid content-start gap-2.5">
      <div className="flex min-h-8 items-center gap-1">
        <h2 className="text-sm font-medium tracking-normal text-text-2">
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
        <p className="mr-auto text-sm text-text-3">
          {isOpen && runs.length > 0 && `${runs.length}${history.hasNextPage ? '+' : ''}`}
          {isOpen && view.rated !== null && ` rated ${view.rated}`}
        </p>
        {isOpen && view.rated === null && (
          <RecentRuns runs={runs} href={`/usage/runs?days=90&promptId=${prompt.id}`} />
        )}
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
        {isOpen && (runs.length > 0 || view.rated !== null) && (
          <HistoryMenu
            rated={view.rated}
            onRatedChange={(rated) => changeView({ rated })}
            onClear={hasOwn ? () => setQuestion({ kind: 'clear' }) : undefined}
          />
        )}
      </div>
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
            : `You haven’t rated any run ${view.rated}.`}
        </p>
      )}
      {isOpen && runs.length > 0 && (
        <ul className="@container -mx-2.5 grid grid-cols-[minmax(0,1fr)]">
          {runs.map((run, index) => (
            <HistoryRow
              key={run.id}
              promptId={prompt.id}
              run={run}
              before={runs[index + 1]}
              promptVersion={prompt.version}
              isOwn={run.executedBy === user?.username}
              isTicked={chosen.includes(run.id)}
              isTicking={chosen.length > 0}
              onTick={
                chosen.includes(run.id) || chosen.length < COMPARED_MAX
                  ? () => setTicked(toggleId({ ids: chosen, id: run.id }))
                  : undefined
              }
              onRunAgain={isRunning ? undefined : () => void runAgain(run)}
              onTakeInputs={() => void takeInputs(run)}
              onCopy={run.aiResponse === '' ? undefined : () => void copyAnswer(answerOf(run))}
              onDelete={run.sight === 'own' ? () => setQuestion({ kind: 'delete', id: run.id }) : undefined}
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

function HistoryMenu({
  rated,
  onRatedChange,
  onClear,
}: {
  rated: RatedRuns
  onRatedChange: (rated: RatedRuns) => void
  onClear: (() => void) | undefined
}) {
  return (
    <MoreMenu of="history" className="-mr-1.5">
      <DropdownMenuRadioGroup
        value={rated ?? 'all'}
        onValueChange={(value) => onRatedChange(value === 'up' || value === 'down' ? value : null)}
      >
        <DropdownMenuRadioItem value="all">All runs</DropdownMenuRadioItem>
        <DropdownMenuRadioItem value="up">Rated up</DropdownMenuRadioItem>
        <DropdownMenuRadioItem value="down">Rated down</DropdownMenuRadioItem>
      </DropdownMenuRadioGroup>
      {onClear && (
        <>
          <DropdownMenuSeparator />
          <DropdownMenuItem variant="destructive" onSelect={onClear}>
            <Trash2Icon />
            Clear history
          </DropdownMenuItem>
        </>
      )}
    </MoreMenu>
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
        onClose={onClose}
        title="Clear history?"
        description="All your runs of this prompt and their answers will be deleted. This can’t be undone."
        confirmLabel="Clear history"
        pending={clear.isPending}
        onConfirm={() => clear.mutate(undefined, { onSettled: onClose })}
      />
      <ConfirmDialog
        open={question?.kind === 'delete'}
        onClose={onClose}
        title="Delete this run?"
        description="The run and its answer will be deleted. This can’t be undone."
        pending={remove.isPending}
        onConfirm={() => question?.kind === 'delete' && remove.mutate(question.id, { onSettled: onClose })}
      />
    </>
  )
}

function HistorySkeleton() {
  return (
    <div className="grid gap-2">
      <Skeleton className="h-8" />
      <Skeleton className="h-8" />
      <Skeleton className="h-8" />
    </div>
  )
}
