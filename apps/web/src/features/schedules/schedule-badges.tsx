import type { EmailStatus, OccurrenceState, ScheduledRun } from '@catenary/contracts'
import { MailIcon } from 'lucide-react'
import { Badge } from '../../components/ui/badge.tsx'

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

/** What became of the last run, whether there will be more, and whether it was mailed. */
export function ScheduleBadges({ schedule }: { schedule: ScheduledRun }) {
  const { status, active, recipientCount } = schedule
  return (
    <>
      <Badge variant={STATUS_VARIANTS[status]}>{status}</Badge>
      <Badge variant={active ? 'ok' : 'neutral'}>{active ? 'Active' : 'Inactive'}</Badge>
      {recipientCount > 0 && <MailBadge schedule={schedule} />}
    </>
  )
}

function MailBadge({ schedule: { status, emailStatus, emailReason } }: { schedule: ScheduledRun }) {
  const { label, variant } = emailStatus
    ? MAIL[emailStatus]
    : { label: withoutMail(status), variant: 'outline' as const }
  return (
    <Badge variant={variant} title={emailReason ?? undefined}>
      <MailIcon />
      <span className="sr-only">E-mail: </span>
      {label}
    </Badge>
  )
}

function withoutMail(status: OccurrenceState): string {
  if (status === 'pending') return 'Pending'
  return status === 'running' ? 'In progress' : 'Not sent'
}
