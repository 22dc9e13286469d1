import { useQuery } from '@tanstack/react-query'
import { browserTimeZone } from '../../components/time-zone-picker.tsx'
import { accountQuery } from '../../features/accounts/own-account.queries.ts'
import { ScheduleDialog, type ScheduleDialogProps } from '../../features/schedules/schedule-dialog.tsx'

/** A schedule's form, which starts from the clock of the person's settings. */
export default function ScheduleRunDialog(props: Omit<ScheduleDialogProps, 'timeZone'>) {
  const { data, isPending } = useQuery(accountQuery)
  if (isPending) return null
  return <ScheduleDialog {...props} timeZone={data?.timeZone ?? browserTimeZone()} />
}
