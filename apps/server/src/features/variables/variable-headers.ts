import type { SecretBox } from '../../platform/secrets/secret-box.ts'

type Headers = Record<string, string>

interface Place {
  variableId: number
  apiUrl: string
}

/** Header values are sealed for one variable, one origin and one name: nothing else can open them. */
interface Sealing {
  secrets: SecretBox
}

export const headerContextOf = ({ variableId, apiUrl }: Place, name: string): string =>
  JSON.stringify(['variable header', variableId, originOf(apiUrl), name.toLowerCase()])

export function sealHeaders(
  { secrets }: Sealing,
  { place, given }: { place: Place; given: Headers },
): Headers {
  return mapValues(given, (text, name) => secrets.seal({ text, context: headerContextOf(place, name) }))
}

interface Sealed {
  place: Place
  sealed: Headers
}

/** The values to send; undefined when one does not open, as after a change of SECRET_KEY. */
export function openHeaders(ctx: Sealing, { place, sealed }: Sealed): Headers | undefined {
  const opened = mapValues(sealed, (value, name) => open(ctx, place, [name, value]))
  return Object.values(opened).includes(undefined) ? undefined : (opened as Headers)
}

/** The values to show; empty for one that does not open. */
export function showHeaders(ctx: Sealing, { place, sealed }: Sealed): Headers {
  return mapValues(sealed, (value, name) => open(ctx, place, [name, value]) ?? '')
}

/**
 * The headers after a save. At the same origin, an empty value keeps the stored one of that name. At another
 * origin, nothing stored for the old one remains, even if the same value is sent again (D24).
 */
export function changeHeaders(ctx: Sealing, { from, to, sealed, given }: HeaderChange): Headers {
  const stored = new Map(Object.entries(sealed).map(([name, value]) => [name.toLowerCase(), value]))
  if (originOf(from.apiUrl) === originOf(to.apiUrl)) {
    if (given === undefined) return sealed
    return mapValues(given, (text, name) => {
      const kept = text === '' ? stored.get(name.toLowerCase()) : undefined
      return kept ?? ctx.secrets.seal({ text, context: headerContextOf(to, name) })
    })
  }
  const isNew = ([name, text]: [string, string]): boolean => {
    const old = stored.get(name.toLowerCase())
    return text !== '' && (old === undefined || open(ctx, from, [name, old]) !== text)
  }
  return sealHeaders(ctx, { place: to, given: Object.fromEntries(Object.entries(given ?? {}).filter(isNew)) })
}

function open({ secrets }: Sealing, place: Place, [name, sealed]: [string, string]): string | undefined {
  return secrets.openOptional({ sealed, context: headerContextOf(place, name) })
}

interface HeaderChange {
  from: Place
  to: Place
  sealed: Headers
  /** From the person; absent for 'as they are'. */
  given: Headers | undefined
}

function originOf(apiUrl: string): string {
  return URL.parse(apiUrl)?.origin ?? ''
}

function mapValues<T>(headers: Headers, toValue: (value: string, name: string) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, toValue(value, name)]))
}
