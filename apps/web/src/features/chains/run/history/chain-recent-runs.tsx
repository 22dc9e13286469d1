import { useInfiniteQuery } from '@tanstack/react-query'
import { useSession } from '../../../../lib/session/session.tsx'
import { RecentRuns } from '../../../runs/recent-runs.tsx'
import { chainHistoryQuery } from '../chain-runs.queries.ts'

export function ChainRecentRuns({ chainId }: { chainId: number }) {
  const { user } = useSession()
  const { data } = useInfiniteQuery({ ...chainHistoryQuery(chainId), enabled: user !== null })
  // A run that is only known to exist has neither a height nor a colour.
  const runs = (data?.pages[0] ?? []).filter((run) => run.sight !== 'presence')
  return <RecentRuns runs={runs} href={`/usage/runs?days=90&chainId=${chainId}`} />
}
