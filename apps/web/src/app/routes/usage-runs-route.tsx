import { useQuery } from '@tanstack/react-query'
import { browserTimeZone } from '../../components/time-zone-picker.tsx'
import { accountQuery } from '../../features/accounts/own-account.queries.ts'
import { UsageRunsPage } from '../../features/usage/usage-runs-page.tsx'
import { PageSpinner } from './page-spinner.tsx'

/** The runs behind a figure, by the clock of the person's settings. */
export default function UsageRunsRoute() {
  const { data, isPending } = useQuery(accountQuery)
  if (isPending) return <PageSpinner />
  return <UsageRunsPage timeZone={data?.timeZone ?? browserTimeZone()} />
}
