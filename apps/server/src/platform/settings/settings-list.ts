import { MODEL_ALIASES, MODELS } from '@catenary/contracts'
import type * as z from 'zod'
import { MODEL_DEFAULTS } from '../models/default-models.ts'
import { environment } from './settings-environment.ts'
import { defaultDataDir, type Place, readPlaces } from './settings-places.ts'

export interface SettingInForce {
  name: string
  /** As it was written; a secret’s as bullets; null where there is neither a value nor a default. */
  value: string | null
  source: 'option' | 'environment' | '.env' | 'default'
}

export function listSettings(place: Place): SettingInForce[] {
  const { present, inEnvironment } = readPlaces(place)
  const ofModels = MODEL_ALIASES.flatMap((alias): [string, string | null][] => {
    const defaults: Record<string, string | undefined> = { ...MODEL_DEFAULTS[alias] }
    return Object.entries(MODELS[alias].settings).map(([key, name]) => [name, defaults[key] ?? null])
  })
  const others = Object.entries(environment.shape).map(([name, schema]): [string, string | null] => [
    name,
    name === 'DATA_DIR' ? defaultDataDir(place) : defaultOf(schema),
  ])
  return [...others, ...ofModels].map(([name, fallback]) => {
    const value = present[name]
    if (value === undefined) return { name, value: fallback, source: 'default' }
    return {
      name,
      value: SECRETS.test(name) ? '••••' : value.replace(USER_IN_URL, '//••••@'),
      source: name in inEnvironment || `${name}_FILE` in inEnvironment ? 'environment' : '.env',
    }
  })
}

function defaultOf(schema: z.ZodType): string | null {
  const { data } = schema.safeParse(undefined)
  if (data === true) return 'on'
  if (data === false || (data === 0 && schema === environment.shape.TRUST_PROXY)) return 'off'
  if (Array.isArray(data)) return data.join(',') || null
  if (typeof data === 'object') return null
  return data === undefined ? null : String(data)
}

/** The credentials in an address. */
const USER_IN_URL = /\/\/[^/\s]*@/g
/** What holds a key or a password, also within an address. */
const SECRETS = /KEY$|PASSWORD|SECRET|^DATABASE_(DIRECT_)?URL$|^BUS_URL$|^SMTP_URL$|^OTLP_HEADERS$/
