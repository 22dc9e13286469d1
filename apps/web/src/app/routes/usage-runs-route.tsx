import { useAccountTimeZone } from '../../features/accounts/use-account-time-zone.ts'
import { UsageRunsPage } from '../../features/usage/usage-runs-page.tsx'
import { PageSpinner } from './page-spinner.tsx'

/** The runs behind a mark of the usage page, by the clock of the person's settings. */
export default function UsageRunsRoute() {
  const timeZone = useAccountTimeZone()
  if (timeZone === undefined) return <PageSpinner />
  return <UsageRunsPage timeZone={timeZone} />
}
