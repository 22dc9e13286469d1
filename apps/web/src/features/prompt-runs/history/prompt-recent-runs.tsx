import { useInfiniteQuery } from '@tanstack/react-query'
import { RecentRuns } from '../../runs/recent-runs.tsx'
import { historyQuery } from '../prompt-runs.queries.ts'

export function PromptRecentRuns({ promptId }: { promptId: number }) {
  const { data } = useInfiniteQuery(historyQuery(promptId))
  return <RecentRuns runs={data?.pages[0]?.items ?? []} href={`/usage/runs?days=90&promptId=${promptId}`} />
}
