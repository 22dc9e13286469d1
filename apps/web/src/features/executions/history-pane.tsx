import type { ListedPromptExecution, PromptExecution } from '@catenary/contracts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { ChevronRightIcon, HistoryIcon } from 'lucide-react'
import { useState } from 'react'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { OlderRuns } from '../../components/run/older-runs.tsx'
import { Button } from '../../components/ui/button.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { errorMessage } from '../../lib/errors.ts'
import { useSession } from '../../lib/session.tsx'
import { toast } from '../../lib/toast.ts'
import { historyQuery, useClearHistory, useDeleteExecution, useReadRun } from './executions.queries.ts'
import { HistoryRow } from './history-row.tsx'

export interface HistoryPaneProps {
  promptId: number
  /** The version of the stored text now. */
  promptVersion: number
  isOpen: boolean
  /** Absent where the history has a tab of its own. */
  onToggle?: () => void
  onRunAgain: (execution: PromptExecution) => void
}

type Question = { kind: 'clear' } | { kind: 'delete'; id: number } | null

/** The runs of a prompt, fetched when it is opened. */
export function HistoryPane({ promptId, promptVersion, isOpen, onToggle, onRunAgain }: HistoryPaneProps) {
  const { user } = useSession()
  const [question, setQuestion] = useState<Question>(null)
  const history = useInfiniteQuery({ ...historyQuery(promptId), enabled: isOpen })
  const runs = history.data?.pages.flatMap(({ items }) => items) ?? []
  const readRun = useReadRun(promptId)
  const runAgain = async (listed: ListedPromptExecution) => {
    try {
      onRunAgain(await readRun(listed))
    } catch (error) {
      toast({ title: 'Error', description: errorMessage(error), variant: 'destructive' })
    }
  }
  const hasOwn = runs.some(({ executedBy }) => executedBy === user?.username)
  return (
    <section aria-label="Execution history" className="grid content-start gap-2.5">
      <div className="flex min-h-8 items-center justify-between gap-3">
        <h2 className="text-sm font-medium tracking-normal text-text-2">
          {onToggle ? (
            <Button
              variant="ghost"
              size="sm"
              aria-expanded={isOpen}
              onClick={onToggle}
              className="-ml-2 px-2"
            >
              <ChevronRightIcon className={isOpen ? 'rotate-90' : ''} />
              Execution history
            </Button>
          ) : (
            'Execution history'
          )}
        </h2>
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
          No runs yet. Each one is kept here with its inputs, answer, tokens, cost and time.
        </p>
      )}
      {isOpen && runs.length > 0 && (
        <ul className="overflow-hidden rounded-card border border-line bg-surface">
          {runs.map((execution) => (
            <HistoryRow
              key={execution.id}
              promptId={promptId}
              execution={execution}
              promptVersion={promptVersion}
              isOwn={execution.executedBy === user?.username}
              onRunAgain={() => void runAgain(execution)}
              onDelete={() => setQuestion({ kind: 'delete', id: execution.id })}
            />
          ))}
        </ul>
      )}
      {isOpen && <OlderRuns history={history} />}
      <HistoryQuestion promptId={promptId} question={question} onClose={() => setQuestion(null)} />
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
  const remove = useDeleteExecution(promptId)
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
