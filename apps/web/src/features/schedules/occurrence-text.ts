import type { EmailStatus, ScheduledOccurrence } from '@catenary/contracts'
import { formatInZones } from '../../lib/text/format-time.ts'

const MAIL: Record<EmailStatus, string> = { sent: 'mailed', pending: 'mail pending', failed: 'mail failed' }

/** One run of a schedule in a line: when it was due, what became of it and why, and its mail. */
export function occurrenceText({
  occurrence: { scheduledFor, isManual, state, reason, emailStatus, emailReason },
  timeZone,
  ownZone,
}: {
  occurrence: ScheduledOccurrence
  /** The reader's. */
  timeZone: string
  /** The schedule's. */
  ownZone: string
}): string {
  const outcome = reason === null ? state : `${state}: ${reason}`
  const mail =
    emailStatus && (emailReason === null ? MAIL[emailStatus] : `${MAIL[emailStatus]}: ${emailReason}`)
  const when = formatInZones({ time: scheduledFor, timeZone, ownZone })
  return [when, isManual && 'by Run Now', outcome, mail].filter(Boolean).join(' · ')
}

/** How many of each: `28 completed, 1 failed, 1 missed`. */
export function countStates(occurrences: readonly ScheduledOccurrence[]): string {
  const counts = new Map<string, number>()
  for (const { state } of occurrences) counts.set(state, (counts.get(state) ?? 0) + 1)
  return [...counts].map(([state, count]) => `${count} ${state}`).join(', ')
}
