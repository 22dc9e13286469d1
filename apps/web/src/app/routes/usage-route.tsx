import { UsagePage } from '../../features/usage/usage-page.tsx'
import { useAccountTimeZone } from '../use-account-time-zone.ts'
import { PageSpinner } from './page-spinner.tsx'

/** The figures, by the clock of the person's settings. */
export default function UsageRoute() {
  const timeZone = useAccountTimeZone()
  if (timeZone === undefined) return <PageSpinner />
  return <UsagePage timeZone={timeZone} />
}
