import {
  type AskedFill,
  type EmailStatus,
  LIST_TEXT_MAX,
  type ListedSchedule,
  OCCURRENCES_SHOWN,
  type ScheduledOccurrence,
  type ScheduledRun,
  type ScheduleRecipient,
  type User,
} from '@catenary/contracts'
import { describeSchedule, nextTimes } from '@catenary/domain/recurrence'
import type { Context } from '../../platform/context.ts'
import type { ChainRights } from '../chains/chains.ts'
import { listUnfilled, listUnsent, type UnsentSend } from '../fills/fills.ts'
import { listOccurrenceMails, listRecipients } from '../mails/mails.ts'
import { listLatest, type OccurrenceRow } from './occurrences.sql.ts'
import { toRule } from './schedule-rule.ts'
import { canDeactivateSchedule, canDeleteSchedule, canEditSchedule, canRunNow } from './schedules.policy.ts'
import type { ListedRow, OwnedSchedule, ScheduleRow } from './schedules.sql.ts'

interface Shown {
  schedules: OwnedSchedule[]
  chain: ChainRights | undefined
  viewer: User
}

type Mailed = Awaited<ReturnType<typeof listOccurrenceMails>> extends Map<number, infer Rows> ? Rows : never

/** Why a run failed may quote what it was sent (D59). */
const HIDDEN_REASON = 'Only its creator sees the reason.'
/** A later time that was skipped would reveal that the run before was still running. */
const REVEALS_RUNS = new Set<OccurrenceRow['state']>(['skipped'])
const PAUSED = `Paused after failures. ${HIDDEN_REASON}`

export async function toScheduledRuns(
  ctx: Context,
  { schedules, chain, viewer }: Shown,
): Promise<ScheduledRun[]> {
  const { db, now } = ctx
  const scheduleIds = schedules.map(({ schedule }) => schedule.id)
  const latest = await listLatest(db, { scheduleIds, limit: OCCURRENCES_SHOWN })
  const mailed = await listOccurrenceMails(
    db,
    latest.map(({ id }) => id),
  )
  const own = schedules.filter(({ schedule }) => canEditSchedule(viewer, schedule))
  const unfilled = await listUnfilled(db, {
    userId: viewer.id,
    of: own.map(({ schedule: { chainId, fills } }) => ({ chainIds: [chainId], fills })),
  })
  const unsent = await listUnsent(ctx, {
    user: viewer,
    of: own.map(({ schedule: { chainId, chainLabel: label, sends } }) => ({
      chainIds: [chainId],
      label,
      sends,
    })),
  })
  const addresses = [...new Set(own.flatMap(({ schedule }) => schedule.emailRecipients))]
  const answers = addresses.length === 0 ? [] : await listRecipients(ctx, { account: viewer, addresses })
  const states = new Map(answers.map((recipient) => [recipient.address, recipient]))

  return schedules.map((owned) => {
    const isMine = canEditSchedule(viewer, owned.schedule)
    const opensRuns = isMine || viewer.role === 'admin'
    const all = latest.filter(({ scheduledRunId }) => scheduledRunId === owned.schedule.id)
    const isKept = !opensRuns && all.some((row) => row.isKept)
    const occurrences = all
      .filter((row) => !isKept || !(row.isKept || REVEALS_RUNS.has(row.state)))
      .map((row): ScheduledOccurrence => {
        const { id, dueAt, isManual, state, reason, startedAt } = row
        return {
          id,
          isManual,
          state,
          reason: isMine || state !== 'failed' ? reason : HIDDEN_REASON,
          scheduledFor: dueAt.toISOString(),
          executionId: opensRuns && row.hasRun ? row.executionId : null,
          startedAt: startedAt?.toISOString() ?? null,
          ...toEmail({ mailed: mailed.get(id) ?? [], isMine }),
        }
      })
    const recipients = isMine
      ? owned.schedule.emailRecipients.flatMap((address) => states.get(address) ?? [])
      : []
    const shown = isKept ? { ...owned, schedule: withoutOutcome(owned.schedule, now()) } : owned
    const asksToFill = unfilled[own.indexOf(owned)] ?? []
    const asksToSend = unsent[own.indexOf(owned)] ?? []
    return toScheduledRun({
      owned: shown,
      chain,
      viewer,
      occurrences,
      recipients,
      asksToFill,
      asksToSend,
    })
  })
}

/** As if none of its runs had failed, which would pause it, or ended, which would end a one-time schedule (D68). */
function withoutOutcome(schedule: ScheduleRow, now: Date): ScheduleRow {
  const { isRecurring, pausedReason, nextDueAt } = schedule
  const active = isRecurring ? schedule.active || pausedReason !== null : nextDueAt !== null
  const [next = null] = isRecurring && active ? nextTimes(toRule(schedule), now, 1) : [nextDueAt]
  return { ...schedule, active, pausedReason: null, nextDueAt: next }
}

export async function toListedSchedules(
  ctx: Context,
  { listed, chain, viewer }: Omit<Shown, 'schedules'> & { listed: ListedRow[] },
): Promise<ListedSchedule[]> {
  const schedules = listed.map(({ owned }) => owned)
  const shown = await toScheduledRuns(ctx, { schedules, chain, viewer })
  return shown.map((schedule, index): ListedSchedule => {
    const inputLength = listed[index]?.inputLength ?? 0
    return inputLength > LIST_TEXT_MAX ? { ...schedule, inputClipped: true, inputLength } : schedule
  })
}

function toScheduledRun({
  owned: { schedule, creator },
  chain,
  viewer,
  occurrences,
  recipients,
  asksToFill,
  asksToSend,
}: Omit<Shown, 'schedules'> & {
  owned: OwnedSchedule
  occurrences: ScheduledOccurrence[]
  recipients: ScheduleRecipient[]
  asksToFill: AskedFill[]
  asksToSend: UnsentSend[]
}): ScheduledRun {
  const { failuresInRow: _, createdBy, nextDueAt, emailRecipients, ...shown } = schedule
  const subject = { createdBy, canEditChain: chain?.canEdit === true }
  const isMine = canEditSchedule(viewer, subject)
  const last = occurrences.at(-1)
  const started = occurrences.findLast(({ startedAt }) => startedAt !== null)
  return {
    ...shown,
    ...toRule(schedule),
    chainName: chain?.canView === true ? chain.name : null,
    description: describeSchedule(toRule(schedule)),
    recurringDay: schedule.recurringDaysOfWeek,
    recurringWeek: schedule.recurringDayOfMonth,
    pausedReason: isMine || schedule.pausedReason === null ? schedule.pausedReason : PAUSED,
    fills: isMine ? schedule.fills : [],
    asksToFill,
    sends: isMine ? schedule.sends : [],
    asksToSend,
    status: last?.state ?? 'pending',
    emailStatus: last?.emailStatus ?? null,
    emailReason: last?.emailReason ?? null,
    emailRecipients: isMine ? emailRecipients : [],
    recipients,
    recipientCount: emailRecipients.length,
    nextRunAt: nextDueAt?.toISOString() ?? null,
    lastRunAt: started?.startedAt ?? null,
    lastExecutionId: started?.executionId ?? null,
    occurrences,
    createdBy: creator.username,
    isMine,
    canEdit: canEditSchedule(viewer, subject),
    canExecute: canRunNow(viewer, subject),
    canDeactivate: canDeactivateSchedule(viewer, subject),
    canDelete: canDeleteSchedule(viewer, subject),
    createdAt: schedule.createdAt.toISOString(),
    updatedAt: schedule.updatedAt.toISOString(),
  }
}

/** One status for all recipients: the worst of what was to be sent. */
function toEmail({ mailed, isMine }: { mailed: Mailed; isMine: boolean }): {
  emailStatus: EmailStatus | null
  emailReason: string | null
} {
  const has = (...statuses: Mailed[number]['status'][]) =>
    mailed.some(({ status }) => statuses.includes(status))
  const lines = mailed.flatMap(({ address, reason }) => {
    if (reason === null) return []
    return [isMine ? `${address}: ${reason}` : reason]
  })
  const emailReason = lines.length === 0 ? null : [...new Set(lines)].join('\n')
  if (mailed.length === 0) return { emailStatus: null, emailReason }
  if (has('failed')) return { emailStatus: 'failed', emailReason }
  if (has('pending', 'asked')) return { emailStatus: 'pending', emailReason }
  return { emailStatus: has('sent') ? 'sent' : 'failed', emailReason }
}
