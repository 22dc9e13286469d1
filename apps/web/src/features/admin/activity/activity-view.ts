import {
  ACTIVITY_DOORS,
  ACTIVITY_OBJECTS,
  type ActivityDoor,
  type ActivityFilter,
  type ActivityObject,
} from '@catenary/contracts'
import { idIn, useAddress } from '../../../lib/address.ts'
import { fromClock } from '../../../lib/text/format-time.ts'
import { useTimeZone } from '../../../lib/time-zone.ts'

const DAY_MS = 86_400_000
const DATE = /^\d{4}-\d\d-\d\d$/

export interface ActivityView {
  who: number | null
  what: ActivityObject | null
  door: ActivityDoor | null
  /** Days as the address has them, such as 2026-11-22: both are shown. */
  from: string
  to: string
  refused: boolean
}

export const NO_FILTER = { who: null, what: null, door: null, from: null, to: null, refused: null } as const

function readView(params: URLSearchParams): ActivityView {
  const date = (name: string) => {
    const given = params.get(name) ?? ''
    return DATE.test(given) ? given : ''
  }
  return {
    who: idIn(params.get('who')),
    what: ACTIVITY_OBJECTS.find((one) => one === params.get('what')) ?? null,
    door: ACTIVITY_DOORS.find((one) => one === params.get('door')) ?? null,
    from: date('from'),
    to: date('to'),
    refused: params.get('refused') === 'only',
  }
}

export const isFiltered = ({ who, what, door, from, to, refused }: ActivityView): boolean =>
  refused || [who, what, door].some((one) => one !== null) || from !== '' || to !== ''

export function useActivityView() {
  const [params, changeAddress] = useAddress()
  const timeZone = useTimeZone()
  const view = readView(params)
  return { view, filter: toFilter(view, timeZone), open: idIn(params.get('open')), changeAddress }
}

function toFilter({ who, what, door, from, to, refused }: ActivityView, timeZone: string): ActivityFilter {
  return {
    person: who ?? undefined,
    object: what ?? undefined,
    door: door ?? undefined,
    refused: refused ? 'only' : undefined,
    from: beginningOf(from, timeZone),
    to: beginningOf(dayAfter(to), timeZone),
  }
}

function beginningOf(day: string, timeZone: string): string | undefined {
  return day === '' ? undefined : fromClock({ local: `${day}T00:00`, timeZone })?.toISOString()
}

function dayAfter(day: string): string {
  const time = Date.parse(`${day}T00:00:00Z`)
  return Number.isNaN(time) ? '' : new Date(time + DAY_MS).toISOString().slice(0, day.length)
}
