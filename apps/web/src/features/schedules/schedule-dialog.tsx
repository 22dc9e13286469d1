import { useQuery } from '@tanstack/react-query'
import { DraftFormDialog } from '../../components/forms/draft-form-dialog.tsx'
import { mailStateQuery } from '../accounts/mail-state.queries.ts'
import { useAccountTimeZone } from '../accounts/use-account-time-zone.ts'
import { ScheduleFields } from './schedule-fields.tsx'
import type { ScheduleFieldsProps } from './schedule-fields-props.ts'
import { type UseScheduleFormOptions, useScheduleForm } from './use-schedule-form.ts'

export default function ScheduleRunDialog(props: Omit<ScheduleDialogProps, 'timeZone'>) {
  const timeZone = useAccountTimeZone()
  if (timeZone === undefined) return null
  return <ScheduleDialog {...props} timeZone={timeZone} />
}

interface ScheduleDialogProps extends UseScheduleFormOptions, Pick<ScheduleFieldsProps, 'chain'> {}

export function ScheduleDialog({ chain, ...options }: ScheduleDialogProps) {
  const { schedule } = options
  const { form, values, stored, dialog } = useScheduleForm(options)
  const { data: mail } = useQuery(mailStateQuery)
  return (
    <DraftFormDialog
      title={schedule ? 'Edit Scheduled Run' : 'Schedule Chain Run'}
      description={`“${chain.name}” runs with your rights and your variables.`}
      submitLabel={schedule ? 'Save Changes' : 'Schedule Run'}
      pendingLabel="Saving..."
      {...dialog}
      className="max-w-[560px]"
    >
      <ScheduleFields
        form={form}
        values={values}
        stored={stored}
        chainId={options.chainId}
        chain={chain}
        mail={mail}
      />
    </DraftFormDialog>
  )
}
