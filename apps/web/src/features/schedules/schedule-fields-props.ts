import type { MailState, ScheduledRun } from '@catenary/contracts'
import type { UseFormReturn } from 'react-hook-form'
import type { Releases } from '../records/versions/version-choice.tsx'
import type { RunVisibility } from '../runs/run-visibility-note.tsx'
import type { ScheduleForm, ScheduleInput } from './schedule-form.ts'

export interface ScheduleFieldsProps {
  form: UseFormReturn<ScheduleInput, unknown, ScheduleForm>
  values: ScheduleInput
  stored: ScheduledRun | null
  chainId: number
  chain: {
    name: string
    takesInput: boolean
    releases: Releases | undefined
    runVisibility: RunVisibility | undefined
  }
  mail: MailState | undefined
}
