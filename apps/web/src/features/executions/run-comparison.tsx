import type { PromptExecution } from '@catenary/contracts'
import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorState } from '../../components/error-state.tsx'
import { SwitchField } from '../../components/switch-field.tsx'
import { Dialog, DialogContent, DialogHeader, DialogTitle } from '../../components/ui/dialog.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { promptRunQuery } from './executions.queries.ts'
import { ComparedRun } from './run-comparison-column.tsx'

export interface RunComparisonProps {
  promptId: number
  ids: readonly number[]
  onClose: () => void
}

/** Two to four runs of a prompt side by side, the others against the first. */
export default function RunComparison({ promptId, ids, onClose }: RunComparisonProps) {
  const [isTinted, setIsTinted] = useState(true)
  const found = useQueries({
    queries: ids.map((id) => ({ ...promptRunQuery({ promptId, id, status: 'compared' }), staleTime: 0 })),
  })
  const runs = found.flatMap(({ data }) => (data ? [data] : []))
  const failed = found.find(({ error, data }) => error && !data)
  const isWhole = runs.length === ids.length
  return (
    <Dialog open onOpenChange={(open) => open || onClose()}>
      <DialogContent className="h-[min(860px,calc(100dvh-32px))] max-w-[1360px]">
        <DialogHeader
          className="border-b border-line"
          actions={
            isWhole && <SwitchField label="Tint what differs" checked={isTinted} onChange={setIsTinted} />
          }
        >
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
        ) : isWhole ? (
          <Columns runs={runs} isTinted={isTinted} />
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

function Columns({ runs, isTinted }: { runs: readonly PromptExecution[]; isTinted: boolean }) {
  const [first] = runs
  return (
    <ul className="grid min-h-0 flex-1 auto-cols-[minmax(260px,1fr)] grid-flow-col gap-3 overflow-x-auto bg-bg p-4">
      {runs.map((run) => (
        <ComparedRun
          key={run.id}
          run={run}
          runs={runs}
          baseline={run === first ? undefined : first}
          isTinted={isTinted}
        />
      ))}
    </ul>
  )
}
