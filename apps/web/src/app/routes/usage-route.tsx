import { useAccountTimeZone } from '../../features/accounts/use-account-time-zone.ts'
import { UsagePage } from '../../features/usage/usage-page.tsx'
import { PageSpinner } from './page-spinner.tsx'

export default function UsageRoute() {
  const timeZone = useAccountTimeZone()
  if (timeZone === undefined) return <PageSpinner />
  return <UsagePage timeZone={timeZone} />
}
