import { SearchPicker } from './search-picker.tsx'

const BROWSER = 'browser'

export interface TimeZonePickerProps {
  /** An IANA name; null follows the browser. */
  value: string | null
  onChange: (timeZone: string | null) => void
  /** Offers to follow the browser. */
  allowBrowserZone?: boolean
}

/** The zone that the browser is set to. */
export function browserTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** Chooses one of the world's time zones by typing a part of its name. */
export function TimeZonePicker({ value, onChange, allowBrowserZone = false }: TimeZonePickerProps) {
  return (
    <SearchPicker
      label="Time zones"
      placeholder="Search time zones"
      nothingFound="No such time zone"
      value={value ?? BROWSER}
      find={(search) => [...(allowBrowserZone && search === '' ? [BROWSER] : []), ...findZones(search)]}
      describe={(zone) =>
        zone === BROWSER
          ? { title: `Browser’s zone (${browserTimeZone()})` }
          : { title: label(zone), hint: offsetOf(zone) }
      }
      onChange={(zone) => onChange(zone === BROWSER ? null : zone)}
    />
  )
}

/** `_` stands for a space. */
function label(zone: string): string {
  return zone.replaceAll('_', ' ')
}

function findZones(search: string): string[] {
  const wanted = search.toLowerCase().replaceAll(' ', '_')
  const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]
  return zones.filter((zone) => zone.toLowerCase().includes(wanted))
}

function offsetOf(zone: string): string {
  const format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'shortOffset' })
  return format.formatToParts().find(({ type }) => type === 'timeZoneName')?.value ?? ''
}
