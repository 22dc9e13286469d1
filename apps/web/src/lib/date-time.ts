const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })

/** A moment to the second, as the person's browser writes dates. */
export function formatDateTime(time: string): string {
  return format.format(new Date(time))
}

const RUN_DATE = {
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
} as const
const runDate = new Intl.DateTimeFormat('en-US', RUN_DATE)

/** `Nov 21, 2026 9:42 AM`, in the person's own time zone or another. */
export function formatRunDate(time: string, timeZone?: string): string {
  const date = new Date(time)
  if (Number.isNaN(date.getTime())) return 'Invalid date'
  const format =
    timeZone === undefined ? runDate : new Intl.DateTimeFormat('en-US', { ...RUN_DATE, timeZone })
  const parts = Object.fromEntries(format.formatToParts(date).map(({ type, value }) => [type, value]))
  return `${parts.month} ${parts.day}, ${parts.year} ${parts.hour}:${parts.minute} ${parts.dayPeriod}`
}
