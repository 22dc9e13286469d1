import { ScheduleDialog, type ScheduleDialogProps } from '../../features/schedules/schedule-dialog.tsx'
import { useAccountTimeZone } from '../use-account-time-zone.ts'

/** A schedule's form, which starts from the clock of the person's settings. */
export default function ScheduleRunDialog(props: Omit<ScheduleDialogProps, 'timeZone'>) {
  const timeZone = useAccountTimeZone()
  if (timeZone === undefined) return null
  return <ScheduleDialog {...props} timeZone={timeZone} />
}
