import { useQuery } from '@tanstack/react-query'
import { Suspense, useMemo } from 'react'
import { PanelBoundary } from '../../components/panel-boundary.tsx'
import { part } from '../../components/part.tsx'
import { ChainsPage } from '../../features/chains/library/chains-page.tsx'
import { latestChainRunsQuery } from '../../features/chains/run/chain-runs.queries.ts'
import { tagsQuery } from '../../features/library/tags/tags.queries.ts'
import { scheduledChainsQuery } from '../../features/schedules/schedules.queries.ts'
import { useSession } from '../../lib/session/session.tsx'

const BestChainAccess = part(() => import('./best-chain-access.tsx'))

/** The chains library. */
export default function ChainsRoute() {
  const { data: tags = [] } = useQuery(tagsQuery('chain'))
  const { user } = useSession()
  const { data } = useQuery({ ...scheduledChainsQuery, enabled: user !== null })
  const scheduled = useMemo(() => new Map((data ?? []).map((each) => [each.chainId, each])), [data])
  const { data: latest } = useQuery({ ...latestChainRunsQuery, enabled: user !== null })
  const latestRuns = useMemo(() => new Map((latest ?? []).map((run) => [run.chainId, run])), [latest])
  return (
    <ChainsPage
      tags={tags}
      scheduled={scheduled}
      latestRuns={latestRuns}
      bestChain={
        <PanelBoundary title="Best Chain API Access">
          <Suspense>
            <BestChainAccess />
          </Suspense>
        </PanelBoundary>
      }
    />
  )
}
