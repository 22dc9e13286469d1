import * as z from 'zod'
import { askedSends, chosenSends, keptSends } from './asks/sends.ts'
import { emailAddress, id, revision, rights, timestamp } from './common.ts'
import { askedFills, chosenFills, fills } from './fills.ts'
import { clip } from './lists.ts'
import { optionalName } from './names.ts'
import { movableLabel } from './records/labels.ts'
import { USER_INPUT_MAX } from './runs/runs.ts'
import { addressState, timeZone } from './users.ts'

export const SCHEDULE_NAME_MAX = 100
export const RECIPIENTS_MAX = 20
const RECIPIENT_MAX = 254
export const CRON_MAX = 100
export const SCHEDULES_MAX = 200
export const OCCURRENCES_SHOWN = 30
export const TIMES_PREVIEWED = 5
export const DEFAULT_FAILURES_BEFORE_PAUSE = 5
export const FAILURES_BEFORE_PAUSE_MAX = 100
export const DAY_OF_MONTH_MAX = 31
/** 0 is Sunday. */
export const WEEKDAY_MAX = 6

export const RECURRING_TYPES = ['daily', 'weekly', 'monthly', 'hourly', 'cron'] as const
export const recurringType = z
  .enum(RECURRING_TYPES)
  .describe('hourly: at the minute of scheduledTime; cron: by an expression of five fields (D55).')
export type RecurringType = z.infer<typeof recurringType>

const weekdays = z
  .array(z.int().min(0).max(WEEKDAY_MAX))
  .max(WEEKDAY_MAX + 1)
  .describe('For weekly schedules: days of the week, 0 is Sunday. Empty: the weekday of scheduledTime.')
const DAY_OF_MONTH = `Must be a day from 1 to ${DAY_OF_MONTH_MAX}`
const dayOfMonth = z
  .int(DAY_OF_MONTH)
  .min(1, DAY_OF_MONTH)
  .max(DAY_OF_MONTH_MAX, DAY_OF_MONTH)
  .describe(
    'For monthly schedules: day of the month, or the last day of shorter months. null: the day of scheduledTime.',
  )
const cron = z
  .string()
  .trim()
  .max(CRON_MAX, `The line must have at most ${CRON_MAX} characters`)
  .refine((line) => /^\S+(\s+\S+){4}$/.test(line), 'Five fields: minute, hour, day, month, weekday')
  .describe('Minute, hour, day of the month, month, weekday; in the time zone of the schedule.')

export const scheduleRule = z.object({
  scheduledTime: timestamp.describe('When it runs; for recurring schedules, the start and the time of day.'),
  timeZone: z.string().describe('IANA time zone of the schedule’s times.'),
  isRecurring: z.boolean().describe('false: once, at scheduledTime.'),
  recurringType: recurringType.nullable().describe('null: once.'),
  recurringDaysOfWeek: weekdays,
  recurringDayOfMonth: dayOfMonth.nullable(),
  cron: z.string().nullable().describe('Cron expression, for type cron.'),
})
export type ScheduleRule = z.infer<typeof scheduleRule>

const OCCURRENCE_STATES = ['pending', 'running', 'completed', 'failed', 'skipped', 'missed'] as const
const occurrenceState = z
  .enum(OCCURRENCE_STATES)
  .describe(
    'pending: due, about to start; skipped: deliberately not run; missed: no process was running to start it.',
  )
export type OccurrenceState = z.infer<typeof occurrenceState>

const emailStatus = z
  .enum(['pending', 'sent', 'failed'])
  .describe('failed: to at least one recipient; null: no recipients or nothing to send.')
export type EmailStatus = z.infer<typeof emailStatus>

const emailFields = {
  emailStatus: emailStatus.nullable(),
  emailReason: z
    .string()
    .nullable()
    .describe('Why sending failed or is waiting; only the schedule’s creator sees addresses in it.'),
}

export const scheduledOccurrence = z.object({
  id,
  scheduledFor: timestamp.describe('When it was due; for Run Now, when it was requested.'),
  isManual: z.boolean().describe('Started by Run Now.'),
  state: occurrenceState,
  reason: z.string().nullable().describe('Why it failed, was skipped or was missed.'),
  executionId: id.nullable().describe('Id of its run, if it still exists and the caller may open it.'),
  startedAt: timestamp.nullable().describe('When its run started.'),
  ...emailFields,
})
export type ScheduledOccurrence = z.infer<typeof scheduledOccurrence>

/** Whether mail may go to an address: `asked` waits for its yes, `refused` asked for no more (D58). */
export const scheduleRecipient = z.object({
  address: z.string().describe('Address as entered.'),
  state: z.enum(['ready', 'asked', 'refused']).describe('Mail is sent to `ready` addresses only.'),
})
export type ScheduleRecipient = z.infer<typeof scheduleRecipient>

const CHAIN_LABEL = 'Runs the version that has this label at the time; null: the current chain.'

export const scheduledRun = scheduleRule.extend({
  id,
  chainId: id,
  chainName: z.string().nullable().describe('null: the caller lost access to the chain.'),
  name: z.string().describe('Name of the schedule; default: the chain’s.'),
  description: z.string().describe("'One-time', 'Daily', 'Weekly on Monday, Friday', 'Monthly on day 31' …"),
  recurringDay: weekdays.describe('Same as recurringDaysOfWeek (D34).'),
  recurringWeek: dayOfMonth.nullable().describe('Same as recurringDayOfMonth (D34).'),
  chainLabel: movableLabel.nullable().describe(CHAIN_LABEL),
  input: z.string().describe('Value of {{input}} and {{input_context}}.'),
  active: z.boolean().describe('The schedule is active and will run.'),
  pausedReason: z.string().nullable().describe('Why the program deactivated it; null: it is active.'),
  status: occurrenceState.describe('State of the latest occurrence; pending: there is none.'),
  emailRecipients: z.array(z.string()).describe('Empty for everyone but its creator (D55).'),
  recipients: z.array(scheduleRecipient).describe('The recipients with the state of each.'),
  recipientCount: z.int().describe('Number of recipients, even where addresses are hidden.'),
  mailsSkipped: z.boolean().describe('Also email about skipped or missed occurrences.'),
  failuresBeforePause: z
    .int()
    .nullable()
    .describe('Pause it after this many consecutive failures; null: never.'),
  fills,
  asksToFill: askedFills,
  sends: keptSends,
  asksToSend: askedSends,
  ...emailFields,
  nextRunAt: timestamp.nullable().describe('null: it is not active, or has no next time.'),
  lastRunAt: timestamp.nullable().describe('When its last run started.'),
  lastExecutionId: id.nullable().describe('Id of its last run, if the caller may open it.'),
  occurrences: z.array(scheduledOccurrence).describe('The last 30, oldest first.'),
  createdBy: z.string().describe('Username of the person it runs as.'),
  isMine: z.boolean().describe('The caller created it.'),
  ...rights,
  canDeactivate: z.boolean().describe('The caller may deactivate it.'),
  revision,
  createdAt: timestamp,
  updatedAt: timestamp,
})
export type ScheduledRun = z.infer<typeof scheduledRun>

export const listedSchedule = scheduledRun.extend({ inputClipped: clip.clipped, inputLength: clip.length })
export type ListedSchedule = z.infer<typeof listedSchedule>

const emailRecipients = z
  .array(emailAddress('Invalid email address').max(RECIPIENT_MAX, 'Invalid email address'))
  .max(RECIPIENTS_MAX, `At most ${RECIPIENTS_MAX} recipients`)
  .describe('Each address once, ignoring case.')

export function splitRecipients(text: string): string[] {
  return text
    .split(',')
    .map((address) => address.trim())
    .filter((address) => address !== '')
}

/** ISO 8601 allows a time without seconds, and an offset without its colon or its minutes. */
function toFullTime(written: string): string {
  const [, minute, rest = '', sign, hours, minutes = '00'] =
    /^(.{10}T\d\d:\d\d)(:[\d.]+)?(?:([+-])(\d\d)(?::?(\d\d))?|Z)$/.exec(written) ?? []
  if (minute === undefined) return written
  return `${minute}${rest === '' ? ':00' : rest}${sign === undefined ? 'Z' : `${sign}${hours}:${minutes}`}`
}

const scheduleFields = {
  name: optionalName()
    .max(SCHEDULE_NAME_MAX, `Name must be at most ${SCHEDULE_NAME_MAX} characters`)
    .describe('Trimmed; empty: the chain’s name.'),
  scheduledTime: z
    .string('Schedule time is required')
    .min(1, 'Schedule time is required')
    .overwrite(toFullTime)
    .pipe(z.iso.datetime({ offset: true, local: true, error: 'Not a date with a time' }))
    .describe('With an offset or Z; without one, in timeZone: 2026-11-22T09:00.'),
  timeZone,
  chainLabel: movableLabel.nullable().describe(CHAIN_LABEL),
  input: z.string().max(USER_INPUT_MAX).describe('Value of {{input}} and {{input_context}}.'),
  active: z.boolean().describe('The schedule is active and will run.'),
  isRecurring: z.boolean().describe('false: once, at scheduledTime.'),
  recurringType: recurringType.nullable(),
  recurringDaysOfWeek: weekdays,
  recurringDayOfMonth: dayOfMonth.nullable(),
  cron: cron.nullable(),
  emailRecipients,
  mailsSkipped: z.boolean().describe('Also email about skipped or missed occurrences.'),
  failuresBeforePause: z
    .int('Must be a whole number')
    .min(1, 'Must be at least 1')
    .max(FAILURES_BEFORE_PAUSE_MAX, `Must be at most ${FAILURES_BEFORE_PAUSE_MAX}`)
    .nullable()
    .describe('Pause it after this many consecutive failures; null: never.'),
}

interface RuleFields {
  isRecurring?: boolean | undefined
  recurringType?: RecurringType | null | undefined
  cron?: string | null | undefined
}

function checkRule({ isRecurring, recurringType, cron }: RuleFields, context: z.RefinementCtx): void {
  if (isRecurring === true && !recurringType) {
    context.addIssue({ code: 'custom', path: ['recurringType'], message: 'Choose how often it repeats' })
  }
  if (recurringType === 'cron' && !cron) {
    context.addIssue({ code: 'custom', path: ['cron'], message: 'Enter a line of five fields' })
  }
}

export const createScheduleRequest = z
  .strictObject({
    name: scheduleFields.name.default(''),
    scheduledTime: scheduleFields.scheduledTime,
    timeZone: scheduleFields.timeZone.optional().describe('Default: the account’s time zone, otherwise UTC.'),
    chainLabel: scheduleFields.chainLabel.default(null),
    input: scheduleFields.input.default(''),
    active: scheduleFields.active.default(true),
    isRecurring: scheduleFields.isRecurring.default(false),
    recurringType: scheduleFields.recurringType.default(null),
    recurringDaysOfWeek: scheduleFields.recurringDaysOfWeek.default([]),
    recurringDayOfMonth: scheduleFields.recurringDayOfMonth.default(null),
    cron: scheduleFields.cron.default(null),
    emailRecipients: scheduleFields.emailRecipients.default([]),
    mailsSkipped: scheduleFields.mailsSkipped.default(false),
    failuresBeforePause: scheduleFields.failuresBeforePause.default(DEFAULT_FAILURES_BEFORE_PAUSE),
    fills: chosenFills,
    sends: chosenSends,
  })
  .superRefine(checkRule)
export type CreateScheduleRequest = z.input<typeof createScheduleRequest>

export const updateScheduleRequest = z
  .strictObject({
    ...scheduleFields,
    fills: chosenFills,
    sends: chosenSends,
    revision: revision.describe('Revision that was edited; a stale one is refused with 409 (D16).'),
  })
  .partial()
  .superRefine(checkRule)
export type UpdateScheduleRequest = z.infer<typeof updateScheduleRequest>

export const scheduledChain = z.object({
  chainId: id,
  schedules: z.int().describe('Number of active schedules.'),
  nextRunAt: timestamp.describe('When the next of them runs.'),
  timeZone: z.string().describe('Time zone of the schedule that runs next.'),
})
export type ScheduledChain = z.infer<typeof scheduledChain>

export const mailState = z.object({
  isSetUp: z.boolean().describe('false: schedules run, but nothing is emailed.'),
  recipients: z
    .enum(['any', 'confirmed'])
    .describe('confirmed: an address must confirm before it receives results (D58).'),
  domains: z.array(z.string()).describe('Domains whose addresses need no confirmation.'),
  ownAddress: z.string().describe('The caller’s address.'),
  ownAddressState: addressState.nullable().describe('null: no confirmation is needed here.'),
})
export type MailState = z.infer<typeof mailState>

export const schedulerState = z.object({
  paused: z.boolean().describe('true: no schedule runs.'),
  active: z.int().describe('Number of active schedules.'),
  nextDueAt: timestamp.nullable().describe('When the next one is due.'),
  overdue: z.int().describe('Schedules that are due and have not started.'),
  lastLatenessMs: z
    .number()
    .nullable()
    .describe('Milliseconds between due and start for the last run that started.'),
  mailIsSetUp: z.boolean().describe('SMTP_URL is set.'),
  mailsWaiting: z.int().describe('Emails waiting to be sent.'),
  mailsFailed: z.int().describe('Emails that failed for good in the last 24 hours.'),
})
export type SchedulerState = z.infer<typeof schedulerState>

export const mailTest = z.object({
  ok: z.boolean().describe('The mail server accepted the email.'),
  to: z.string().describe('Address that it was sent to.'),
  ms: z.number().describe('How long it took.'),
  error: z.string().nullable().describe('Why it was not sent.'),
})
export type MailTest = z.infer<typeof mailTest>
