import * as z from 'zod'
import { id, permissions, revision, timestamp } from './common.ts'
import { clip } from './lists.ts'
import { USER_INPUT_MAX } from './runs/runs.ts'
import { addressState, timeZone } from './users.ts'
import { movableLabel } from './version-labels.ts'

export const SCHEDULE_NAME_MAX = 100
export const RECIPIENTS_MAX = 20
const RECIPIENT_MAX = 254
export const CRON_MAX = 100
/** Of one account. */
export const SCHEDULES_MAX = 200
/** The strip of a schedule shows as many. */
export const OCCURRENCES_SHOWN = 30
/** How many times of a schedule that is being written are shown. */
export const TIMES_PREVIEWED = 5
export const DEFAULT_FAILURES_BEFORE_PAUSE = 5
export const FAILURES_BEFORE_PAUSE_MAX = 100
export const DAY_OF_MONTH_MAX = 31
/** 0 is Sunday. */
export const WEEKDAY_MAX = 6

export const RECURRING_TYPES = ['daily', 'weekly', 'monthly', 'hourly', 'cron'] as const
export const recurringType = z
  .enum(RECURRING_TYPES)
  .describe('hourly: at the minute of scheduledTime; cron: by a line of five fields (D55).')
export type RecurringType = z.infer<typeof recurringType>

const weekdays = z
  .array(z.int().min(0).max(WEEKDAY_MAX))
  .max(WEEKDAY_MAX + 1)
  .describe('Of a weekly one, 0 is Sunday; none: the weekday of scheduledTime.')
const DAY_OF_MONTH = `Must be a day from 1 to ${DAY_OF_MONTH_MAX}`
const dayOfMonth = z
  .int(DAY_OF_MONTH)
  .min(1, DAY_OF_MONTH)
  .max(DAY_OF_MONTH_MAX, DAY_OF_MONTH)
  .describe('Of a monthly one; in shorter months the last day. None: the day of scheduledTime.')
const cron = z
  .string()
  .trim()
  .max(CRON_MAX, `The line must have at most ${CRON_MAX} characters`)
  .refine((line) => /^\S+(\s+\S+){4}$/.test(line), 'Five fields: minute, hour, day, month, weekday')
  .describe('Minute, hour, day of the month, month, weekday; in the time zone of the schedule.')

/** When a schedule is due; what `nextTimes` and `describeSchedule` of the domain take. */
export const scheduleRule = z.object({
  scheduledTime: timestamp.describe(
    'The one time; of a recurring one, from when on and at which time of day.',
  ),
  timeZone: z.string().describe('IANA name of the zone whose clock counts.'),
  isRecurring: z.boolean().describe('false: once, at scheduledTime.'),
  recurringType: recurringType.nullable().describe('null: once.'),
  recurringDaysOfWeek: weekdays,
  recurringDayOfMonth: dayOfMonth.nullable(),
  cron: z.string().nullable().describe('Of the type cron, its line.'),
})
export type ScheduleRule = z.infer<typeof scheduleRule>

const OCCURRENCE_STATES = ['pending', 'running', 'completed', 'failed', 'skipped', 'missed'] as const
const occurrenceState = z
  .enum(OCCURRENCE_STATES)
  .describe(
    'pending: due, about to start; skipped: it was not to run then; missed: nobody was there to start it.',
  )
export type OccurrenceState = z.infer<typeof occurrenceState>

const emailStatus = z
  .enum(['pending', 'sent', 'failed'])
  .describe('failed: to at least one recipient; null: there was nobody or nothing to write.')
export type EmailStatus = z.infer<typeof emailStatus>

const emailFields = {
  emailStatus: emailStatus.nullable(),
  emailReason: z
    .string()
    .nullable()
    .describe('Why it failed or waits; it names addresses to who made the schedule alone.'),
}

/** A mark in the strip of a schedule. */
export const scheduledOccurrence = z.object({
  id,
  scheduledFor: timestamp.describe('When it was due; of Run Now, when it was asked for.'),
  isManual: z.boolean().describe('By Run Now.'),
  state: occurrenceState,
  reason: z.string().nullable().describe('Why it failed, was skipped or missed.'),
  executionId: id.nullable().describe('Its run, where the caller may open it and it was not deleted.'),
  startedAt: timestamp.nullable().describe('When its run began.'),
  ...emailFields,
})
export type ScheduledOccurrence = z.infer<typeof scheduledOccurrence>

/** Whether mail may go to an address: `asked` waits for its yes, `refused` asked for no more (D58). */
export const scheduleRecipient = z.object({
  address: z.string().describe('As it was typed.'),
  state: z.enum(['ready', 'asked', 'refused']).describe('Mail goes to `ready` ones alone.'),
})
export type ScheduleRecipient = z.infer<typeof scheduleRecipient>

const CHAIN_LABEL =
  "The chain's version of this label runs, each time the one that has it then; null: the chain as it is."

/** GET /api/scheduled-runs/{id}, and what POST and PATCH answer. */
export const scheduledRun = scheduleRule.extend({
  id,
  chainId: id,
  chainName: z.string().nullable().describe('null: the caller lost access to the chain.'),
  name: z.string().describe("The chain's where none was given."),
  description: z.string().describe("'One-time', 'Daily', 'Weekly on Monday, Friday', 'Monthly on day 31' …"),
  recurringDay: weekdays.describe('The same as recurringDaysOfWeek (D34).'),
  recurringWeek: dayOfMonth.nullable().describe('The same as recurringDayOfMonth (D34).'),
  chainLabel: movableLabel.nullable().describe(CHAIN_LABEL),
  input: z.string().describe('What {{input}} and {{input_context}} stand for.'),
  active: z.boolean().describe('It fires.'),
  pausedReason: z
    .string()
    .nullable()
    .describe('Why it was deactivated by the program; null once it is active.'),
  status: occurrenceState.describe("The latest occurrence's; pending where there is none."),
  emailRecipients: z.array(z.string()).describe('Empty for all but who made it (D55).'),
  recipients: z.array(scheduleRecipient).describe('The same with what each has answered.'),
  recipientCount: z.int().describe('Also where the addresses are not shown.'),
  mailsSkipped: z.boolean().describe('Occurrences that were skipped or missed are mailed too.'),
  failuresBeforePause: z
    .int()
    .nullable()
    .describe('After so many failures in a row it is deactivated; null: never.'),
  ...emailFields,
  nextRunAt: timestamp.nullable().describe('null: it is not active, or there is no next time.'),
  lastRunAt: timestamp.nullable().describe('When its last run began.'),
  lastExecutionId: id.nullable().describe('Of its last run, where the caller may open it.'),
  occurrences: z.array(scheduledOccurrence).describe('The last 30, oldest first.'),
  createdBy: z.string().describe('Username of the person as whom it runs.'),
  isMine: z.boolean().describe('The caller made it.'),
  ...permissions,
  canDeactivate: z.boolean().describe('The caller may turn it off.'),
  revision,
  createdAt: timestamp,
  updatedAt: timestamp,
})
export type ScheduledRun = z.infer<typeof scheduledRun>

/** In GET /api/chains/{id}/scheduled-runs: its input may be clipped. */
export const listedSchedule = scheduledRun.extend({ inputClipped: clip.clipped, inputLength: clip.length })
export type ListedSchedule = z.infer<typeof listedSchedule>

const emailRecipients = z
  .array(z.email('Invalid email address').max(RECIPIENT_MAX, 'Invalid email address'))
  .max(RECIPIENTS_MAX, `At most ${RECIPIENTS_MAX} recipients`)
  .describe('Each once, without regard to case.')

/** Addresses that are typed in a row, separated by commas. */
export function splitRecipients(text: string): string[] {
  return text
    .split(',')
    .map((address) => address.trim())
    .filter((address) => address !== '')
}

const scheduleFields = {
  name: z
    .string()
    .trim()
    .max(SCHEDULE_NAME_MAX, `Name must be at most ${SCHEDULE_NAME_MAX} characters`)
    .describe("Trimmed; empty: the chain's."),
  scheduledTime: z
    .string('Schedule time is required')
    .min(1, 'Schedule time is required')
    .pipe(z.iso.datetime({ offset: true, local: true, error: 'Not a date with a time' }))
    .describe('With an offset or Z; without, by the clock of timeZone: 2026-11-22T09:00.'),
  timeZone,
  chainLabel: movableLabel.nullable().describe(CHAIN_LABEL),
  input: z.string().max(USER_INPUT_MAX).describe('What {{input}} and {{input_context}} stand for.'),
  active: z.boolean().describe('It fires.'),
  isRecurring: z.boolean().describe('false: once, at scheduledTime.'),
  recurringType: recurringType.nullable(),
  recurringDaysOfWeek: weekdays,
  recurringDayOfMonth: dayOfMonth.nullable(),
  cron: cron.nullable(),
  emailRecipients,
  mailsSkipped: z.boolean().describe('Mails occurrences that were skipped or missed, too.'),
  failuresBeforePause: z
    .int('Must be a whole number')
    .min(1, 'Must be at least 1')
    .max(FAILURES_BEFORE_PAUSE_MAX, `Must be at most ${FAILURES_BEFORE_PAUSE_MAX}`)
    .nullable()
    .describe('After so many failures in a row it is deactivated; null: never.'),
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
    context.addIssue({ code: 'custom', path: ['cron'], message: 'Write a line of five fields' })
  }
}

/** POST /api/chains/{id}/schedule */
export const createScheduleRequest = z
  .strictObject({
    name: scheduleFields.name.default(''),
    scheduledTime: scheduleFields.scheduledTime,
    timeZone: scheduleFields.timeZone.optional().describe("Default: the account's, else UTC."),
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
  })
  .superRefine(checkRule)
export type CreateScheduleRequest = z.input<typeof createScheduleRequest>

/** PATCH /api/scheduled-runs/{id}; an absent field stays as it is. */
export const updateScheduleRequest = z
  .strictObject({
    ...scheduleFields,
    revision: revision.describe("The schedule's that was edited; a stale one is refused with 409 (D16)."),
  })
  .partial()
  .superRefine(checkRule)
export type UpdateScheduleRequest = z.infer<typeof updateScheduleRequest>

/** GET /api/scheduled-chains: the chains that a card says are scheduled, of what the caller may see. */
export const scheduledChain = z.object({
  chainId: id,
  schedules: z.int().describe('Active ones.'),
  nextRunAt: timestamp.describe('The earliest of their next times.'),
  timeZone: z.string().describe('Of the schedule that is next, whose clock it follows.'),
})
export type ScheduledChain = z.infer<typeof scheduledChain>

/** GET /api/mail: what the caller's schedules can mail; POST /api/mail/confirmation answers it too. */
export const mailState = z.object({
  isSetUp: z.boolean().describe('false: schedules run, and nothing is mailed.'),
  recipients: z
    .enum(['any', 'confirmed'])
    .describe('confirmed: an address is first asked, and counts from its yes on (D58).'),
  domains: z.array(z.string()).describe('Whose addresses are not asked.'),
  ownAddress: z.string().describe("The caller's."),
  ownAddressState: addressState.nullable().describe('null: it needs no confirmation here.'),
})
export type MailState = z.infer<typeof mailState>

/** GET and POST /api/admin/schedules */
export const schedulerState = z.object({
  paused: z.boolean().describe('No schedule fires.'),
  active: z.int().describe('Schedules that fire.'),
  nextDueAt: timestamp.nullable().describe('When the next one is due.'),
  overdue: z.int().describe('Schedules that are due and have not started.'),
  lastLatenessMs: z.number().nullable().describe('From due to start, of the last start.'),
  mailIsSetUp: z.boolean().describe('SMTP_URL is set.'),
  mailsWaiting: z.int().describe('Mails that are still to be sent.'),
  mailsFailed: z.int().describe('Mails of the last 24 hours that were given up.'),
})
export type SchedulerState = z.infer<typeof schedulerState>

/** POST /api/admin/schedules */
export const pauseSchedulesRequest = z.strictObject({ paused: z.boolean().describe('The wanted state.') })

/** POST /api/admin/mail/test: one mail to the calling admin. */
export const mailTest = z.object({
  ok: z.boolean().describe('The mail server took it.'),
  to: z.string().describe('To whom it went.'),
  ms: z.number().describe('How long it took.'),
  error: z.string().nullable().describe('Why not.'),
})
export type MailTest = z.infer<typeof mailTest>
