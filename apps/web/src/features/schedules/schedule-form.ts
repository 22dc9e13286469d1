import {
  type CreateScheduleRequest,
  createScheduleRequest,
  DEFAULT_FAILURES_BEFORE_PAUSE,
  fill,
  keptSend,
  recurringType,
  type ScheduledRun,
  type ScheduleRule,
  splitRecipients,
} from '@catenary/contracts'
import { findCronProblem, fromWallClock, toWallClock } from '@catenary/domain/recurrence'
import * as z from 'zod'
import type { Difference } from '../../components/forms/conflict-panel.tsx'
import { type ConflictRows, differencesBetween } from '../../components/forms/conflict-rows.ts'
import { numberOf, numberText, typedNumber } from '../../lib/text/number-of.ts'
import { DAYS } from './days.ts'

const text = z.string().default('')
const off = z.boolean().default(false)

/** While it is being filled in nothing is required, and numbers are as they are typed; the defaults are a new schedule's. */
export const scheduleInput = z.object({
  scheduledTime: text,
  timeZone: z.string().default('UTC'),
  isRecurring: off,
  recurringType: recurringType.default('daily'),
  recurringDaysOfWeek: z.array(z.int()).default([]),
  recurringDayOfMonth: text,
  cron: text,
  emailRecipients: text,
  mailsSkipped: off,
  chainLabel: z.string().nullable().default(null),
  input: text,
  name: text,
  failuresBeforePause: z.string().default(String(DEFAULT_FAILURES_BEFORE_PAUSE)),
  active: z.boolean().default(true),
  /** Null: what the texts hold when it is made. */
  fills: z.array(fill).nullable().default(null),
  /** Null: nowhere, where it is made. */
  sends: z.array(keptSend).nullable().default(null),
})
export type ScheduleInput = z.output<typeof scheduleInput>

/** What is saved: the request's fields, from texts where they are typed; what the kind of schedule does not have stays empty. */
export const scheduleForm = scheduleInput
  .extend({ recurringDayOfMonth: typedNumber.default(null), failuresBeforePause: typedNumber })
  .transform(({ isRecurring, recurringType, ...typed }): CreateScheduleRequest => {
    const kind = isRecurring ? recurringType : null
    return {
      ...typed,
      fills: typed.fills ?? undefined,
      sends: typed.sends ?? undefined,
      isRecurring,
      recurringType: kind,
      recurringDaysOfWeek: kind === 'weekly' ? typed.recurringDaysOfWeek : [],
      recurringDayOfMonth: kind === 'monthly' ? typed.recurringDayOfMonth : null,
      cron: kind === 'cron' ? typed.cron : null,
      emailRecipients: splitRecipients(typed.emailRecipients),
    }
  })
  .pipe(createScheduleRequest)
  .superRefine(({ cron, active, isRecurring, scheduledTime, timeZone = 'UTC' }, context) => {
    const problem = cron === null ? undefined : findCronProblem(cron)
    if (problem) context.addIssue({ code: 'custom', path: ['cron'], message: problem })
    if (active && !isRecurring && scheduledTime < minimumTime(timeZone)) {
      const message = 'Choose a time in the future'
      context.addIssue({ code: 'custom', path: ['scheduledTime'], message })
    }
  })
export type ScheduleForm = z.output<typeof scheduleForm>

export function minimumTime(timeZone: string): string {
  return toWallClock(new Date(), timeZone)
}

export function formOf(start: ScheduledRun | { timeZone: string; input?: string }): ScheduleInput {
  if (!('id' in start)) return scheduleInput.parse(start)
  const { scheduledTime, timeZone, recurringType, recurringDayOfMonth, failuresBeforePause, ...stored } =
    start
  return scheduleInput.parse({
    ...stored,
    timeZone,
    scheduledTime: toWallClock(new Date(scheduledTime), timeZone),
    recurringType: recurringType ?? undefined,
    recurringDayOfMonth: numberText(recurringDayOfMonth),
    cron: stored.cron ?? undefined,
    emailRecipients: stored.emailRecipients.join(', '),
    failuresBeforePause: numberText(failuresBeforePause),
  })
}

/** When the schedule would be due as it is typed; null while its time is none. */
export function ruleOf({
  scheduledTime,
  recurringDayOfMonth,
  ...values
}: ScheduleInput): ScheduleRule | null {
  if (!z.iso.datetime({ local: true }).safeParse(scheduledTime).success) return null
  const start = fromWallClock(scheduledTime, values.timeZone)
  const day = numberOf(recurringDayOfMonth)
  return {
    ...values,
    scheduledTime: start.toISOString(),
    recurringDayOfMonth: day !== null && Number.isInteger(day) && day >= 1 && day <= 31 ? day : null,
  }
}

const rows: ConflictRows<ScheduleInput> = {
  scheduledTime: 'First run',
  timeZone: 'Time zone',
  isRecurring: { label: 'Recurring', show: ({ isRecurring }) => yesOrNo(isRecurring) },
  recurringType: {
    label: 'How often',
    show: ({ isRecurring, recurringType }) => (isRecurring ? recurringType : ''),
  },
  recurringDaysOfWeek: {
    label: 'Days of the week',
    show: ({ recurringDaysOfWeek }) => DAYS.filter((_, day) => recurringDaysOfWeek.includes(day)).join(', '),
  },
  recurringDayOfMonth: 'Day of the month',
  cron: 'Cron expression',
  emailRecipients: 'Email recipients',
  mailsSkipped: { label: 'Emails about skipped runs', show: ({ mailsSkipped }) => yesOrNo(mailsSkipped) },
  chainLabel: { label: 'Runs', show: ({ chainLabel }) => chainLabel ?? 'latest' },
  input: 'Input',
  name: 'Name',
  failuresBeforePause: 'Consecutive failures before it pauses',
  fills: { label: 'Private values', show: ({ fills }) => (fills ?? []).map(({ name }) => name).join(', ') },
  sends: {
    label: 'Where private values may go',
    show: ({ sends }) => (sends ?? []).map(({ destination }) => destination).join(', '),
  },
  active: { label: 'Active', show: ({ active }) => yesOrNo(active) },
}

function yesOrNo(value: boolean): string {
  return value ? 'yes' : 'no'
}

export function differencesOf({ mine, theirs }: { mine: ScheduleInput; theirs: ScheduledRun }): Difference[] {
  return differencesBetween({ rows, mine, theirs: formOf(theirs) })
}
