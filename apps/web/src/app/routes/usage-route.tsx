import { useQuery } from '@tanstack/react-query'
import { browserTimeZone } from '../../components/time-zone-picker.tsx'
import { accountQuery } from '../../features/accounts/own-account.queries.ts'
import { UsagePage } from '../../features/usage/usage-page.tsx'
import { PageSpinner } from './page-spinner.tsx'

/** The figures, by the clock of the person's settings. */
export default function UsageRoute() {
  const { data, isPending } = useQuery(accountQuery)
  if (isPending) return <PageSpinner />
  return <UsagePage timeZone={data?.timeZone ?? browserTimeZone()} />
}
