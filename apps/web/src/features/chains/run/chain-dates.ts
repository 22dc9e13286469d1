const format = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
})

/** `Nov 21, 2026 9:42 AM`, in the person's own time zone. */
export function formatRunDate(time: string): string {
  const date = new Date(time)
  if (Number.isNaN(date.getTime())) return 'Invalid date'
  const parts = Object.fromEntries(format.formatToParts(date).map(({ type, value }) => [type, value]))
  return `${parts.month} ${parts.day}, ${parts.year} ${parts.hour}:${parts.minute} ${parts.dayPeriod}`
}
