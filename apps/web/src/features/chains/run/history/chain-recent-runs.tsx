import { useInfiniteQuery } from '@tanstack/react-query'
import { useSession } from '../../../../lib/session/session.tsx'
import { RecentRuns } from '../../../runs/recent-runs.tsx'
import { chainHistoryQuery } from '../chain-runs.queries.ts'

/** The last runs of a chain, from its history. */
export function ChainRecentRuns({ chainId }: { chainId: number }) {
  const { user } = useSession()
  const { data } = useInfiniteQuery({ ...chainHistoryQuery(chainId), enabled: user !== null })
  // Those of which only is known that they are there have neither a height nor a colour.
  const runs = (data?.pages[0] ?? []).filter((run) => run.sight !== 'presence')
  return <RecentRuns runs={runs} href={`/usage/runs?days=90&chainId=${chainId}`} />
}
