import { useQuery } from '@tanstack/react-query'
import { ErrorState } from '../../components/error-state.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import HistoryEntry from './history/history-entry.tsx'
import { promptRunQuery } from './prompt-runs.queries.ts'

export default function PromptRun({ promptId, executionId }: { promptId: number; executionId: number }) {
  const wanted = { promptId, id: executionId, status: 'completed' }
  const { data, error, refetch } = useQuery(promptRunQuery(wanted))
  if (data) return <HistoryEntry run={data} promptVersion={data.promptVersion ?? 0} onSaveTest={undefined} />
  if (error)
    return <ErrorState title="The run could not be loaded" error={error} onRetry={() => void refetch()} />
  return <Skeleton className="h-40 rounded-control" />
}
