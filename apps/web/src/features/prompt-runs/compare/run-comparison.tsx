import type { PromptRun } from '@catenary/contracts'
import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import type { ContentView } from '../../../components/content-viewer/content-viewer.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Dialog, DialogContent, DialogHeader, DialogTitle } from '../../../components/ui/dialog.tsx'
import { Skeleton } from '../../../components/ui/skeleton.tsx'
import { inputsThatDiffer } from '../history/history-differences.ts'
import { promptRunQuery } from '../prompt-runs.queries.ts'
import { columnOfPastRun } from './column-run.ts'
import { RunColumns } from './run-columns.tsx'

export interface RunComparisonProps {
  promptId: number
  ids: readonly number[]
  onSaveTest?: ((executionId: number) => void) | undefined
  onClose: () => void
}

export default function RunComparison({ promptId, ids, onSaveTest, onClose }: RunComparisonProps) {
  const [contentView, setContentView] = useState<ContentView>('rendered')
  const found = useQueries({
    queries: ids.map((id) => ({ ...promptRunQuery({ promptId, id, status: 'compared' }), staleTime: 0 })),
  })
  const runs = found.flatMap(({ data }) => (data ? [data] : []))
  const failed = found.find(({ error, data }) => error && !data)
  return (
    <Dialog open onOpenChange={(open) => open || onClose()}>
      <DialogContent className="h-[min(860px,calc(100dvh-32px))] max-w-[1360px] max-md:h-dvh max-md:max-h-dvh max-md:w-screen max-md:rounded-none max-md:border-0">
        <DialogHeader className="border-b border-line">
          <DialogTitle>Compare {ids.length} runs</DialogTitle>
        </DialogHeader>
        {failed ? (
          <ErrorState
            title="The runs could not be loaded"
            error={failed.error}
            onRetry={() => {
              for (const { refetch } of found) void refetch()
            }}
            className="flex-1"
          />
        ) : runs.length === ids.length ? (
          <RunColumns
            columns={columnsOf(runs)}
            contentView={contentView}
            onContentViewChange={setContentView}
            actionsOf={({ executionId }) => ({
              onSaveTest: onSaveTest && executionId !== null ? () => onSaveTest(executionId) : undefined,
            })}
            fills
            className="flex-1 bg-bg p-4 pt-3 max-md:px-3.5"
          />
        ) : (
          <div role="status" aria-label="Loading the runs" className="grid flex-1 grid-cols-2 gap-3 p-4">
            <Skeleton className="h-full" />
            <Skeleton className="h-full" />
          </div>
        )}
      </DialogContent>
    </Dialog>
  )
}

function columnsOf(runs: readonly PromptRun[]) {
  const inputs = inputsThatDiffer(runs)
  return runs.map((run, place) =>
    columnOfPastRun(
      run,
      inputs.map(({ name, values }) => ({ name, value: values[place] ?? '' })),
    ),
  )
}
