const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })

/** A moment to the second, as the person's browser writes dates. */
export function formatDateTime(time: string): string {
  return format.format(new Date(time))
}
