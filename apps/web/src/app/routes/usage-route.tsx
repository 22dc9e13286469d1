import { PageSkeleton } from '../../components/frame-menu.tsx'
import { useAccountTimeZone } from '../../features/accounts/use-account-time-zone.ts'
import { UsagePage } from '../../features/usage/usage-page.tsx'

export default function UsageRoute() {
  const timeZone = useAccountTimeZone()
  if (timeZone === undefined) return <PageSkeleton />
  return <UsagePage timeZone={timeZone} />
}
