import { PageSkeleton } from '../../components/frame-menu.tsx'
import { useAccountTimeZone } from '../../features/accounts/use-account-time-zone.ts'
import { UsageRunsPage } from '../../features/usage/usage-runs-page.tsx'

export default function UsageRunsRoute() {
  const timeZone = useAccountTimeZone()
  if (timeZone === undefined) return <PageSkeleton />
  return <UsageRunsPage timeZone={timeZone} />
}
