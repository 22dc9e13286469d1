import type { SecretBox } from '../../platform/secrets/secret-box.ts'

/** Header name → value; sealed as stored, plain as sent. */
type Headers = Record<string, string>

interface Place {
  variableId: number
  apiUrl: string
}

export type HeaderVault = ReturnType<typeof createHeaderVault>

/** What the value of a header is bound to. */
export const contextOf = ({ variableId, apiUrl }: Place, name: string): string =>
  JSON.stringify(['variable header', variableId, originOf(apiUrl), name.toLowerCase()])

/** Keeps header values sealed for one variable, one origin and one name: nothing else can open them. */
export function createHeaderVault({ secrets }: { secrets: SecretBox }) {
  const open = (place: Place, [name, sealed]: [string, string]): string | undefined =>
    secrets.openOptional({ sealed, context: contextOf(place, name) })

  const seal = ({ place, given }: { place: Place; given: Headers }): Headers =>
    mapValues(given, (text, name) => secrets.seal({ text, context: contextOf(place, name) }))

  return {
    /** The values, sealed, of a new variable. */
    seal,

    /** The values to send; undefined when one does not open, as after a change of SECRET_KEY. */
    openAll({ place, sealed }: { place: Place; sealed: Headers }): Headers | undefined {
      const opened = mapValues(sealed, (value, name) => open(place, [name, value]))
      return Object.values(opened).includes(undefined) ? undefined : (opened as Headers)
    },

    /** The values to show; empty for one that does not open. */
    show({ place, sealed }: { place: Place; sealed: Headers }): Headers {
      return mapValues(sealed, (value, name) => open(place, [name, value]) ?? '')
    },

    /**
     * The headers after a save. At the same origin, an empty value keeps the stored one of that name. At another
     * origin, nothing stored for the old one remains, even if the same value is sent again (D24).
     */
    change({ from, to, sealed, given }: HeaderChange): Headers {
      const stored = new Map(Object.entries(sealed).map(([name, value]) => [name.toLowerCase(), value]))
      if (originOf(from.apiUrl) === originOf(to.apiUrl)) {
        if (given === undefined) return sealed
        return mapValues(given, (text, name) => {
          const kept = text === '' ? stored.get(name.toLowerCase()) : undefined
          return kept ?? secrets.seal({ text, context: contextOf(to, name) })
        })
      }
      const isNew = ([name, text]: [string, string]): boolean => {
        const old = stored.get(name.toLowerCase())
        return text !== '' && (old === undefined || open(from, [name, old]) !== text)
      }
      return seal({ place: to, given: Object.fromEntries(Object.entries(given ?? {}).filter(isNew)) })
    },
  }
}

interface HeaderChange {
  from: Place
  to: Place
  /** As stored for `from`. */
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
