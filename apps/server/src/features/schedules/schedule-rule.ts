import { createScheduleRequest, type ScheduleRule, scheduleRule } from '@catenary/contracts'
import { completeRule, findCronProblem, fromWallClock, nextTimes } from '@catenary/domain/recurrence'
import type * as z from 'zod'
import { fieldError } from '../../errors.ts'

/** A form is filled in to the minute: one that names the minute under way means now. */
const GRACE_MS = 60_000
const RULE_FIELDS = Object.keys(scheduleRule.shape)
const HAS_OFFSET = /(Z|[+-]\d\d:?\d\d)$/

export type WantedSchedule = Omit<z.output<typeof createScheduleRequest>, 'fills' | 'sends'> & {
  timeZone: string
}

interface StoredRule extends Omit<ScheduleRule, 'scheduledTime'> {
  scheduledTime: Date
}

export function toRule({ scheduledTime, ...rule }: StoredRule): ScheduleRule {
  return { ...rule, scheduledTime: scheduledTime.toISOString() }
}

function ruleOf(wanted: WantedSchedule): StoredRule {
  const { timeZone, isRecurring } = wanted
  const type = isRecurring ? wanted.recurringType : null
  const scheduledTime = HAS_OFFSET.test(wanted.scheduledTime)
    ? new Date(wanted.scheduledTime)
    : fromWallClock(wanted.scheduledTime, timeZone)
  const days = [...new Set(wanted.recurringDaysOfWeek)].sort()
  const rule = completeRule({
    scheduledTime: scheduledTime.toISOString(),
    timeZone,
    isRecurring,
    recurringType: type,
    recurringDaysOfWeek: type === 'weekly' ? days : [],
    recurringDayOfMonth: type === 'monthly' ? wanted.recurringDayOfMonth : null,
    cron: type === 'cron' ? wanted.cron : null,
  })
  return { ...rule, scheduledTime }
}

/** The first time from now on, or within the minute under way; throws `invalid` for a rule that has none. */
export function firstTime(stored: StoredRule, now: Date): Date {
  return firstTimeAfter(stored, stored.isRecurring ? now : new Date(now.getTime() - GRACE_MS))
}

/** The first time that is still to come; throws `invalid` for a rule that has none. */
export function firstTimeAfter(stored: StoredRule, after: Date): Date {
  const rule = toRule(stored)
  if (rule.cron !== null) {
    const problem = findCronProblem(rule.cron)
    if (problem !== undefined) throw fieldError('cron', problem)
  }
  const [first] = nextTimes(rule, after, 1)
  if (first !== undefined) return first
  if (rule.isRecurring) throw fieldError('cron', 'This time never occurs. Choose another.')
  throw fieldError('scheduledTime', 'Choose a time in the future')
}

export function toColumns(wanted: WantedSchedule, chainName: string) {
  const name = wanted.name === '' ? chainName : wanted.name
  return { ...wanted, ...ruleOf(wanted), ...uniqueRecipients(wanted), name }
}

export type ScheduleColumns = ReturnType<typeof toColumns>

/** The stored fields with the changed ones, as if newly requested. Throws `invalid`. */
export function changedColumns(stored: ScheduleColumns, change: Partial<WantedSchedule>): ScheduleColumns {
  const fields = Object.keys(createScheduleRequest.shape) as (keyof ScheduleColumns)[]
  const asked = Object.fromEntries(fields.map((field) => [field, stored[field]]))
  const parsed = createScheduleRequest.safeParse({
    ...asked,
    scheduledTime: stored.scheduledTime.toISOString(),
    ...change,
  })
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw fieldError(issue?.path.join('.') ?? '', issue?.message ?? 'Invalid')
  }
  return toColumns({ ...parsed.data, timeZone: parsed.data.timeZone ?? stored.timeZone }, stored.name)
}

export function changesRule(stored: ScheduleColumns, columns: ScheduleColumns): boolean {
  return JSON.stringify(toRule(stored), RULE_FIELDS) !== JSON.stringify(toRule(columns), RULE_FIELDS)
}

function uniqueRecipients({ emailRecipients }: Pick<WantedSchedule, 'emailRecipients'>) {
  const byAddress = new Map(emailRecipients.map((address) => [address.toLowerCase(), address]))
  return { emailRecipients: [...byAddress.values()] }
}
