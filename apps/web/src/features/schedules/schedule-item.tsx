import type { EmailStatus, OccurrenceState, ScheduledRun } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { MailIcon, TriangleAlertIcon } from 'lucide-react'
import { Link } from 'wouter'
import { Fact } from '../../components/fact.tsx'
import { RelativeTime } from '../../components/time/relative-time.tsx'
import { Time } from '../../components/time/time.tsx'
import { Badge } from '../../components/ui/badge.tsx'
import { Banner } from '../../components/ui/banner.tsx'
import { zoneLabel } from '../../lib/text/format-time.ts'
import { toastFailure } from '../../lib/toast.ts'
import { cn } from '../../lib/utils.ts'
import { mailStateQuery } from '../accounts/mail-state.queries.ts'
import { AskedPrivate } from '../fills/asked-private.tsx'
import { MailUnset } from './mail-unset.tsx'
import { OccurrenceStrip } from './occurrence-strip.tsx'
import { runAddress } from './run-address.ts'
import { ScheduleActions, type ScheduleActionsProps } from './schedule-actions.tsx'
import { useUpdateSchedule } from './schedules.queries.ts'

const STATUS_VARIANTS: Record<OccurrenceState, 'ok' | 'accent' | 'danger' | 'outline'> = {
  pending: 'outline',
  running: 'accent',
  completed: 'ok',
  failed: 'danger',
  skipped: 'outline',
  missed: 'outline',
}
const MAIL = {
  sent: { label: 'Sent', variant: 'ok' },
  pending: { label: 'Pending', variant: 'outline' },
  failed: { label: 'Failed', variant: 'danger' },
} as const satisfies Record<EmailStatus, object>

export function ScheduleItem(props: ScheduleActionsProps) {
  const { schedule } = props
  const { name, description, timeZone, chainLabel, isMine, createdBy, active } = schedule
  const { pausedReason, emailStatus, emailReason } = schedule
  return (
    <li
      data-schedule-id={schedule.id}
      className="grid min-w-0 gap-(--list-gap) rounded-card border border-line bg-surface px-(--card-x) py-(--card-y)"
    >
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="grid min-w-0 flex-1 basis-72 gap-0.5">
          <div className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
            <h2 dir="auto" title={name} className="min-w-0 truncate text-md font-[570] tracking-[-0.01em]">
              {name}
            </h2>
            <Badge variant={active ? 'ok' : 'neutral'}>{active ? 'Active' : 'Inactive'}</Badge>
          </div>
          <p className="text-sm text-text-2 wrap-anywhere">
            <span>{description}</span>
            <span className="text-text-3">
              {' · '}
              {zoneLabel(timeZone)}
              {` · runs ${chainLabel ?? 'latest'}`}
              {!isMine && ` as ${createdBy}`}
            </span>
          </p>
        </div>
        <ScheduleActions {...props} />
      </div>
      {pausedReason !== null && (
        <Banner role="note" icon={<TriangleAlertIcon className="self-start" />}>
          {pausedReason}
        </Banner>
      )}
      <Consent schedule={schedule} />
      <ScheduleFacts schedule={schedule} />
      <OccurrenceStrip schedule={schedule} />
      <MailWaits recipients={schedule.recipients} />
      {emailReason !== null && emailStatus !== 'sent' && (
        <p className={cn('text-xs wrap-anywhere', emailStatus === 'failed' ? 'text-danger' : 'text-text-2')}>
          Email {emailStatus === 'failed' ? 'failed' : 'waits'}: {emailReason}
        </p>
      )}
      {isMailShown(schedule) && emailStatus === null && <Unsent schedule={schedule} />}
    </li>
  )
}

function Consent({ schedule }: { schedule: ScheduledRun }) {
  const { mutate, isPending } = useUpdateSchedule()
  const onError = toastFailure('Failed to update schedule')
  return (
    <AskedPrivate
      name={schedule.name}
      kept={schedule}
      isPending={isPending}
      onAllow={(body) => mutate({ id: schedule.id, body }, { onError })}
    />
  )
}

function MailWaits({ recipients }: Pick<ScheduledRun, 'recipients'>) {
  const waiting = recipients.filter(({ state }) => state === 'asked').map(({ address }) => address)
  if (waiting.length === 0) return null
  return (
    <p className="text-xs text-text-2 wrap-anywhere">
      Email waits until {new Intl.ListFormat('en').format(waiting)} {waiting.length === 1 ? 'is' : 'are'}{' '}
      confirmed.
    </p>
  )
}

/** Why there is no mail of the last run, or will be none of the next. */
function Unsent({ schedule }: { schedule: ScheduledRun }) {
  const { data: mail } = useQuery(mailStateQuery)
  if (mail === undefined) return null
  const words = mail.isSetUp ? unsentReason(schedule) : <MailUnset />
  return words && <p className="text-xs text-text-2 wrap-anywhere">{words}</p>
}

function unsentReason({ status, mailsSkipped, occurrences }: ScheduledRun): string | null {
  if (status === 'pending' || status === 'running') return null
  if ((status === 'skipped' || status === 'missed') && !mailsSkipped)
    return 'Not emailed: this schedule doesn’t email when a run is skipped or missed.'
  const { reason = null } = occurrences.at(-1) ?? {}
  return status === 'failed' && reason !== null
    ? `Not emailed: ${reason}.`
    : 'Not emailed: nobody was to be emailed, or mail was not set up, when this run ended.'
}

const isMailShown = ({ recipientCount, status, active }: ScheduledRun): boolean =>
  recipientCount > 0 && (status !== 'pending' || active)

function ScheduleFacts({ schedule }: { schedule: ScheduledRun }) {
  const { scheduledTime, timeZone, active, nextRunAt, recipientCount, emailRecipients, status } = schedule
  return (
    <dl className="flex flex-wrap gap-x-8 gap-y-2 text-sm">
      <Fact name="Scheduled time">
        <Time time={scheduledTime} ownZone={timeZone} />
      </Fact>
      <Fact name="Next run">
        {nextRunAt === null ? active ? 'no more' : 'inactive' : <Time time={nextRunAt} ownZone={timeZone} />}
        {status === 'pending' && active && <StateBadge status={status} />}
      </Fact>
      <Fact name="Last run">
        <LastRun schedule={schedule} />
        {status !== 'pending' && <StateBadge status={status} />}
      </Fact>
      {recipientCount > 0 && (
        <Fact name="Email recipients" className="max-w-full">
          {emailRecipients.length > 0
            ? emailRecipients.join(', ')
            : `${recipientCount} ${recipientCount === 1 ? 'recipient' : 'recipients'}`}
          {isMailShown(schedule) && <MailBadge schedule={schedule} />}
        </Fact>
      )}
    </dl>
  )
}

function LastRun({
  schedule: { chainId, lastRunAt, lastExecutionId, timeZone },
}: {
  schedule: ScheduledRun
}) {
  if (lastRunAt === null) return 'never'
  const when = <Time time={lastRunAt} ownZone={timeZone} />
  return (
    <>
      {lastExecutionId === null ? (
        when
      ) : (
        <Link
          href={runAddress({ chainId, executionId: lastExecutionId })}
          className="text-accent-text underline underline-offset-3"
        >
          {when}
        </Link>
      )}
      <span className="ml-1.5 text-xs text-text-3">
        <RelativeTime time={lastRunAt} />
      </span>
    </>
  )
}

/** What came of a run stands where that run is told of. */
function StateBadge({ status }: Pick<ScheduledRun, 'status'>) {
  return (
    <Badge variant={STATUS_VARIANTS[status]} className="ml-1.5 align-middle">
      {status}
    </Badge>
  )
}

function MailBadge({ schedule: { status, emailStatus, emailReason } }: { schedule: ScheduledRun }) {
  const { label, variant } = emailStatus
    ? MAIL[emailStatus]
    : { label: withoutMail(status), variant: 'outline' as const }
  return (
    <Badge variant={variant} title={emailReason ?? undefined} className="ml-1.5 align-middle">
      <MailIcon />
      <span className="sr-only">Email: </span>
      {label}
    </Badge>
  )
}

function withoutMail(status: OccurrenceState): string {
  if (status === 'pending') return 'Pending'
  return status === 'running' ? 'In progress' : 'Not sent'
}
