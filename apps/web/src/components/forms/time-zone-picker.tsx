import { offsetOf, zoneLabel } from '../../lib/text/format-time.ts'
import { browserTimeZone, timeZones } from '../../lib/time-zone.ts'
import { SearchPicker } from './search-picker.tsx'

const BROWSER = 'browser'

export interface TimeZonePickerProps {
  value: string | null
  onChange: (timeZone: string | null) => void
  allowBrowserZone?: boolean
}

export function TimeZonePicker({ value, onChange, allowBrowserZone = false }: TimeZonePickerProps) {
  return (
    <SearchPicker
      label="Time zones"
      placeholder="Search time zones"
      nothingFound="No time zones match"
      value={value ?? BROWSER}
      find={(search) => [...(allowBrowserZone && search === '' ? [BROWSER] : []), ...findZones(search)]}
      describe={(zone) =>
        zone === BROWSER
          ? { title: `Browser’s zone (${browserTimeZone()})` }
          : { title: zoneLabel(zone), hint: offsetOf(zone) }
      }
      onChange={(zone) => onChange(zone === BROWSER ? null : zone)}
    />
  )
}

function findZones(search: string): string[] {
  const wanted = search.toLowerCase().replaceAll(' ', '_')
  const zones = timeZones()
  return zones.filter((zone) => zone.toLowerCase().includes(wanted))
}
