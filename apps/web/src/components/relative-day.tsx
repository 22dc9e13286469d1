const DAY_MS = 86_400_000
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const absolute = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })

/** 'today', 'yesterday', '3 days ago', then the date: for times that are known to the day only. */
export function RelativeDay({ time }: { time: string }) {
  const date = new Date(time)
  const days = Math.round((startOfDay(new Date()) - startOfDay(date)) / DAY_MS)
  return <time dateTime={time}>{days < 30 ? relative.format(-days, 'day') : absolute.format(date)}</time>
}

function startOfDay(date: Date): number {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime()
}
