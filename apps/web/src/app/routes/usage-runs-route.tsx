import { useAccountTimeZone } from '../../features/accounts/use-account-time-zone.ts'
import { UsageRunsPage } from '../../features/usage/usage-runs-page.tsx'
import { PageSpinner } from './page-spinner.tsx'

export default function UsageRunsRoute() {
  const timeZone = useAccountTimeZone()
  if (timeZone === undefined) return <PageSpinner />
  return <UsageRunsPage timeZone={timeZone} />
}
