import { useQuery } from '@tanstack/react-query'
import { ChainNotFound } from '../../features/chains/chain-loader.tsx'
import { chainQuery } from '../../features/chains/chains.queries.ts'
import { scheduledOf } from '../../features/chains/releases-of.ts'
import { ScheduledRunsPage } from '../../features/schedules/scheduled-runs-page.tsx'
import { scheduledRunsQuery } from '../../features/schedules/schedules.queries.ts'
import { usePathId } from '../../lib/address.ts'
import { isGone } from '../../lib/errors.ts'

export default function ScheduledRoute() {
  const id = usePathId()
  return id === null ? <ChainNotFound /> : <ScheduledRuns key={id} chainId={id} />
}

function ScheduledRuns({ chainId }: { chainId: number }) {
  const { data: chain } = useQuery(chainQuery(chainId))
  const { error } = useQuery(scheduledRunsQuery(chainId))
  if (isGone(error)) return <ChainNotFound />
  return (
    <ScheduledRunsPage
      chainId={chainId}
      chain={chain && scheduledOf(chain)}
      canSchedule={chain?.canExecute ?? false}
    />
  )
}
