import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { parseEnv } from 'node:util'
import { MODEL_ALIASES, MODELS } from '@catenary/contracts'
import { SettingError } from '../../errors.ts'
import { isPacked } from '../../version.ts'
import { environment } from './settings-environment.ts'

export interface Place {
  env: NodeJS.ProcessEnv
  directory?: string
}

const SETTING_NAMES: ReadonlySet<string> = new Set([
  ...Object.keys(environment.shape),
  ...MODEL_ALIASES.flatMap((alias) => Object.values(MODELS[alias].settings)),
])
/** Holds a setting’s value, as containers are given secrets. */
const IN_FILE = '_FILE'

/** What was set, an empty value counting as absent, and where. Throws SettingError for a file that can’t be read. */
export function readPlaces({ env, directory = '.' }: Place) {
  const written = onlySet(readDotEnv(directory))
  const inEnvironment = onlySet(env)
  const present = { ...written, ...inEnvironment }
  for (const name of SETTING_NAMES) {
    const file = present[`${name}${IN_FILE}`]
    if (file === undefined) continue
    if (present[name] !== undefined)
      throw new SettingError(`${name} and ${name}${IN_FILE} are both set: remove one of them`)
    present[name] = readValue(`${name}${IN_FILE}`, file)
  }
  return { present, written, inEnvironment }
}

const onlySet = (values: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== ''))

function readValue(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '')
  } catch (error) {
    throw new SettingError(`${name}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

const BYTE_ORDER_MARK = /^\uFEFF/
/** As UTF-16 begins, or what it is without a mark: every other byte of plain letters is 0. */
const isUtf16 = (bytes: Buffer): boolean =>
  ['fffe', 'feff'].includes(bytes.toString('hex', 0, 2)) || bytes.subarray(0, 64).includes(0)

/** What stands in the `.env` of a directory. Throws SettingError for one in an encoding that holds nothing readable. */
function readDotEnv(directory = '.'): NodeJS.ProcessEnv {
  const file = path.join(directory, '.env')
  if (!existsSync(file)) return {}
  const bytes = readFileSync(file)
  if (isUtf16(bytes))
    throw new SettingError(
      '.env is in UTF-16, as PowerShell’s > writes it, and can’t be read: save it as UTF-8 (Set-Content -Encoding utf8)',
    )
  return parseEnv(bytes.toString('utf8').replace(BYTE_ORDER_MARK, ''))
}

const PROXIES = /^(https?|all)_proxy$/i
/** Of this length on a name that is one letter off is hardly anyone else’s. */
const SHARED_LENGTH = 8

/** What was set and has no effect, in sentences for whoever starts the program. */
export function listUnheard(place: Place): string[] {
  const { written, inEnvironment } = readPlaces(place)
  const slips = Object.keys({ ...written, ...inEnvironment }).flatMap((name) => {
    if (isHeard(name) || (!(name in written) && name.length < SHARED_LENGTH)) return []
    const meant = findMeant(name)
    return meant === undefined ? [] : [`${name} is set but is not a setting. Did you mean ${meant}?`]
  })
  const proxies = Object.keys(inEnvironment).filter((name) => PROXIES.test(name))
  if (proxies.length === 0) return slips
  return [
    ...slips,
    `${proxies.join(', ')}: no proxy is used. Models, variables, webhooks and mail are reached directly`,
  ]
}

export const listStrangers = (place: Place): string[] =>
  Object.keys(readPlaces(place).written).filter((name) => !isHeard(name))

const isHeard = (name: string): boolean =>
  SETTING_NAMES.has(name) || (name.endsWith(IN_FILE) && SETTING_NAMES.has(name.slice(0, -IN_FILE.length)))

const OWN_PREFIX = /^CATENARY_/

function findMeant(name: string): string | undefined {
  const bare = name.replace(OWN_PREFIX, '')
  if (SETTING_NAMES.has(bare)) return bare
  const file = name.endsWith(IN_FILE) ? IN_FILE : ''
  const base = name.toUpperCase().slice(0, name.length - file.length)
  const [nearest] = [...SETTING_NAMES]
    .map((known) => ({ known, changes: countChanges(base, known) }))
    .filter(({ changes, known }) => changes <= (known.length < SHARED_LENGTH ? 1 : 2))
    .toSorted((a, b) => a.changes - b.changes)
  return nearest && `${nearest.known}${file}`
}

/** Letters added, left out, changed, or swapped with the next. */
function countChanges(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return Number.POSITIVE_INFINITY
  let [before, last]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, at) => at)]
  for (let row = 1; row <= a.length; row += 1) {
    const next = [row]
    for (let at = 1; at <= b.length; at += 1) {
      const cost = a[row - 1] === b[at - 1] ? 0 : 1
      const isSwapped = row > 1 && at > 1 && a[row - 1] === b[at - 2] && a[row - 2] === b[at - 1]
      next[at] = Math.min(
        (last[at] ?? 0) + 1,
        (next[at - 1] ?? 0) + 1,
        (last[at - 1] ?? 0) + cost,
        isSwapped ? (before[at - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    ;[before, last] = [last, next]
  }
  return last[b.length] ?? 0
}

const IN_FOLDER = './data'
const IN_HOME = '~/.catenary'
const OWN_FILES = ['database', 'secret.key']

interface DataPlace {
  packed?: boolean | undefined
  directory?: string
}

/** Where data are kept where nobody says so: a clone keeps them with itself, the packed command at its user’s home. */
export function defaultDataDir({ packed = isPacked(), directory = '.' }: DataPlace = {}): string {
  return packed && !hasOwnData(directory) ? IN_HOME : IN_FOLDER
}

const hasOwnData = (directory: string): boolean =>
  OWN_FILES.some((name) => existsSync(path.join(directory, IN_FOLDER, name)))

/** That the packed command found data in the folder where it was started; undefined: they are where they belong. */
export function explainDataDir({
  packed = isPacked(),
  directory = '.',
  present,
}: DataPlace & { present: NodeJS.ProcessEnv }): string | undefined {
  if (!packed || present.DATA_DIR !== undefined || !hasOwnData(directory)) return undefined
  return `Using the data in ${path.resolve(directory, IN_FOLDER)}. In a folder without data, ${IN_HOME} is used; --data or DATA_DIR sets another`
}

export const toPath = (written: string): string => path.resolve(written.replace(/^~(?=$|\/)/, homedir()))
