import type { Chain, SeenChainRun } from '@catenary/contracts'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { HistoryIcon } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { ConfirmDialog } from '../../../../components/confirm-dialog.tsx'
import { EmptyState } from '../../../../components/empty-state.tsx'
import { Button } from '../../../../components/ui/button.tsx'
import { Skeleton } from '../../../../components/ui/skeleton.tsx'
import { TESTED_RUN, useOpenItem } from '../../../../lib/open-item.ts'
import { OlderRuns } from '../../../runs/older-runs.tsx'
import { RatedFilter, type RatedRuns } from '../../../runs/rating/rated-filter.tsx'
import { ShareOwnRuns } from '../../../runs/share-own-runs.tsx'
import type { StartFrom } from '../chain-run.ts'
import { chainHistoryQuery, newestRunsQuery, useDeleteRun } from '../chain-runs.queries.ts'
import type { ChainRunning } from '../use-chain-run.ts'
import { ChainHistoryCard, ChainPresenceCard } from './chain-history-card.tsx'

export interface ChainHistoryProps {
  chain: Chain
  running: ChainRunning
  compared: number | null
  onCompare: (id: number | null) => void
  onRunAgain: (input: string) => void
  onRunFrom: StartFrom | undefined
}

export function ChainHistory({
  chain,
  running,
  compared,
  onCompare,
  onRunAgain,
  onRunFrom,
}: ChainHistoryProps) {
  const queryClient = useQueryClient()
  const [rated, setRated] = useState<RatedRuns>(null)
  const history = useInfiniteQuery(chainHistoryQuery(chain.id, rated))
  useQuery(newestRunsQuery({ chainId: chain.id, queryClient }))
  const tested = useOpenItem(TESTED_RUN)
  const [deleting, setDeleting] = useState<number | null>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    // On narrow pages the history opens far below the button.
    heading.current?.scrollIntoView?.({ block: 'start' })
    heading.current?.focus({ preventScroll: true })
  }, [])
  const runs = uniqueOf(history.data?.pages.flat() ?? [])
  return (
    <section aria-label="Execution history" data-wide className="grid min-w-0 content-start gap-2.5">
      <div className="flex min-h-8 flex-wrap items-center justify-between gap-2">
        <h2
          ref={heading}
          tabIndex={-1}
          className="scroll-mt-4 text-sm font-semibold tracking-normal outline-none"
        >
          Execution History
        </h2>
        {compared !== null && (
          <p className="flex items-center gap-2 text-sm text-text-2">
            Choose a run to compare with #{compared}.
            <Button variant="link" onClick={() => onCompare(null)}>
              Cancel
            </Button>
          </p>
        )}
      </div>
      {chain.sharedLevel !== 'private' && <ShareOwnRuns record={{ kind: 'chain', id: chain.id }} />}
      {(runs.length > 0 || rated !== null) && <RatedFilter value={rated} onChange={setRated} />}
      {history.isPending && <HistorySkeleton />}
      {history.isError && !history.data && (
        <p
          role="alert"
          className="rounded-card border border-line bg-surface px-3.5 py-4 text-sm text-danger"
        >
          Failed to load execution history. Please try refreshing.
        </p>
      )}
      {history.data && runs.length === 0 && (
        <EmptyState
          icon={<HistoryIcon />}
          title={rated === null ? 'No execution history found' : `You haven’t rated any run ${rated}`}
          about="chainRuns"
          description={
            rated === null
              ? 'Execute this chain to see results here'
              : 'Rate answers with the thumbs below them'
          }
          className="rounded-card border border-dashed border-line py-8"
        />
      )}
      {runs.length > 0 && (
        <ul aria-label="Executions" className="grid min-w-0 gap-2.5">
          {runs.map((run) =>
            run.sight === 'presence' ? (
              <ChainPresenceCard key={run.id} run={run} />
            ) : (
              <ChainHistoryCard
                key={run.id}
                run={run}
                chain={chain}
                running={running}
                compared={compared}
                onCompare={() => onCompare(run.id)}
                onRunAgain={onRunAgain}
                onRunFrom={onRunFrom}
                onSaveTest={
                  chain.canEdit && run.status === 'completed' && run.sight !== 'figures'
                    ? () => tested.show({ kind: 'open', id: run.id })
                    : undefined
                }
                onDelete={() => setDeleting(run.id)}
              />
            ),
          )}
        </ul>
      )}
      <OlderRuns history={history} />
      <DeleteQuestion
        chainId={chain.id}
        id={deleting}
        onDeleted={(id) => running.run?.id === id && running.close()}
        onClose={() => setDeleting(null)}
      />
    </section>
  )
}

function DeleteQuestion({
  chainId,
  id,
  onDeleted,
  onClose,
}: {
  chainId: number
  id: number | null
  onDeleted: (id: number) => void
  onClose: () => void
}) {
  const { mutate, isPending } = useDeleteRun(chainId)
  return (
    <ConfirmDialog
      open={id !== null}
      onClose={onClose}
      title="Delete this run?"
      description="The run, its inputs and its outputs will be deleted. This can’t be undone."
      pending={isPending}
      onConfirm={() => {
        if (id !== null) mutate(id, { onSuccess: () => onDeleted(id), onSettled: onClose })
      }}
    />
  )
}

/** A run that began between two pages is on both. */
function uniqueOf(runs: readonly SeenChainRun[]): SeenChainRun[] {
  return [...new Map(runs.map((run) => [run.id, run])).values()]
}

function HistorySkeleton() {
  return (
    <div className="grid gap-2.5">
      <Skeleton className="h-[92px]" />
      <Skeleton className="h-[92px]" />
      <Skeleton className="h-[92px]" />
    </div>
  )
}
