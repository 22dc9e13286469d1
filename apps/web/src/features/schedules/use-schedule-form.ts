import { type ScheduledRun, scheduledRun } from '@catenary/contracts'
import { useDraftForm } from '../../components/forms/use-draft-form.ts'
import { conflictOf } from '../../lib/errors.ts'
import { refusedFields, showFormFailure } from '../../lib/forms/form-failure.ts'
import { formatInZones } from '../../lib/text/format-time.ts'
import { viewerTimeZone } from '../../lib/time-zone.ts'
import { toast } from '../../lib/toast.ts'
import {
  differencesOf,
  formOf,
  type ScheduleForm,
  type ScheduleInput,
  scheduleForm,
  scheduleInput,
} from './schedule-form.ts'
import { useCreateSchedule, useUpdateSchedule } from './schedules.queries.ts'

export interface UseScheduleFormOptions {
  chainId: number
  schedule: ScheduledRun | null
  timeZone: string
  userId: number
  /** What a new one’s input begins with. */
  input?: string
  onShowAll?: () => void
  onClose: () => void
}

export function useScheduleForm({
  chainId,
  schedule,
  timeZone,
  userId,
  input = '',
  onShowAll,
  onClose,
}: UseScheduleFormOptions) {
  const { mutateAsync: create } = useCreateSchedule(chainId)
  const { mutateAsync: update } = useUpdateSchedule()
  return useDraftForm<ScheduleInput, ScheduleForm, ScheduledRun>({
    key: `schedule.${userId}.${chainId}.${schedule?.id ?? 'new'}`,
    noun: 'schedule',
    schema: scheduleForm,
    input: scheduleInput,
    initial: schedule,
    formOf: (stored) => formOf(stored ?? { timeZone, input }),
    async save(values, { revision }) {
      const saved = schedule
        ? await update({ id: schedule.id, body: { ...values, revision } })
        : await create(values)
      toast({
        title: schedule ? 'Schedule updated' : 'Run scheduled',
        description: whenNext(saved),
        ...(onShowAll && { action: { label: 'Scheduled Runs', onPress: onShowAll } }),
      })
    },
    conflictOf: (error) => conflictOf({ error, schema: scheduledRun }),
    differencesOf,
    onFailure(error, form) {
      showFormFailure({ title: schedule ? 'Failed to update schedule' : 'Failed to schedule run', error })
      for (const { path, message } of refusedFields(error)) {
        const [field = ''] = path.split('.')
        if (field in scheduleInput.shape) {
          form.setError(field as keyof ScheduleInput, { message }, { shouldFocus: true })
        }
      }
    },
    onClose,
  })
}

function whenNext({ active, nextRunAt, timeZone }: ScheduledRun): string {
  if (!active) return 'It will not run until it is activated.'
  return nextRunAt === null
    ? 'It has no future times.'
    : `It runs next ${formatInZones({ time: nextRunAt, timeZone: viewerTimeZone(), ownZone: timeZone })}.`
}
