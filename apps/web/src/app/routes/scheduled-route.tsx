import { useQuery } from '@tanstack/react-query'
import { useParams } from 'wouter'
import { ChainNotFound } from '../../features/chains/chain-loader.tsx'
import { chainQuery } from '../../features/chains/chains.queries.ts'
import { scheduledOf } from '../../features/chains/releases-of.ts'
import { ScheduledRunsPage } from '../../features/schedules/scheduled-runs-page.tsx'
import { scheduledRunsQuery } from '../../features/schedules/schedules.queries.ts'
import { ApiError } from '../../lib/errors.ts'

export default function ScheduledRoute() {
  const { id = '' } = useParams<{ id: string }>()
  if (!/^[1-9]\d{0,9}$/.test(id)) return <ChainNotFound />
  return <ScheduledRuns key={id} chainId={Number(id)} />
}

function ScheduledRuns({ chainId }: { chainId: number }) {
  const { data: chain } = useQuery(chainQuery(chainId))
  const { error } = useQuery(scheduledRunsQuery(chainId))
  if (error instanceof ApiError && (error.status === 404 || error.status === 400)) return <ChainNotFound />
  return (
    <ScheduledRunsPage
      chainId={chainId}
      chain={chain && scheduledOf(chain)}
      canSchedule={chain?.canExecute ?? false}
    />
  )
}
