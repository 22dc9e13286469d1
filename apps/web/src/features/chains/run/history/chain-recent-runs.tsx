import { useInfiniteQuery } from '@tanstack/react-query'
import { useSession } from '../../../../lib/session/session.tsx'
import { RecentRuns } from '../../../shared/run/recent-runs.tsx'
import { chainHistoryQuery } from '../chain-runs.queries.ts'

/** The last runs of a chain, from its history. */
export function ChainRecentRuns({ chainId }: { chainId: number }) {
  const { user } = useSession()
  const { data } = useInfiniteQuery({ ...chainHistoryQuery(chainId), enabled: user !== null })
  return <RecentRuns runs={data?.pages[0] ?? []} href={`/usage/runs?days=90&chainId=${chainId}`} />
}
