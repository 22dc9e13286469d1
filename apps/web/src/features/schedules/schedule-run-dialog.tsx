import { useAccountTimeZone } from '../accounts/use-account-time-zone.ts'
import { ScheduleDialog, type ScheduleDialogProps } from './schedule-dialog.tsx'

export default function ScheduleRunDialog(props: Omit<ScheduleDialogProps, 'timeZone'>) {
  const timeZone = useAccountTimeZone()
  if (timeZone === undefined) return null
  return <ScheduleDialog {...props} timeZone={timeZone} />
}
