import {
  ALLOWED_VALUE_REFUSED,
  type Attachment,
  type AttachmentKind,
  allowsValue,
  type User,
  type ValueOrigin,
} from '@catenary/contracts'
import pMap from 'p-map'
import { AppError } from '../../errors.ts'
import { readThroughCache } from '../../platform/cache/read-through-cache.ts'
import { type Context, onePerApp } from '../../platform/context.ts'
import { type Consent, WITHHELD } from '../records/records.ts'
import { countFetch, findValue, isFetched, type Outcome } from './fetch-value.ts'
import { describeSource, isMedia, SourceError, type SourceRecord } from './variable-sources.ts'
import { listLimitedNames, type VariableRecord, variablesByNames } from './variables.sql.ts'

/** How long a run waits for all its values together: a client gives up after 20 s of silence. */
const DEADLINE_MS = 15_000
/** Values fetched for one run at the same time. */
const AT_ONCE = 8

export interface ResolvedVariable {
  /** null: there is none; `origin.error` says why. */
  value: string | null
  /** Of an image or a PDF, whose value is the mark that stands for it. */
  attachment?: Attachment
  origin: ValueOrigin
}

export interface WantedNames {
  names: string[]
  user: User
}

/** Whose values, and which of the private ones may enter the text. */
export interface ConsentedNames extends WantedNames {
  consent: Consent
}

export interface ResolveRequest extends ConsentedNames {
  signal?: AbortSignal | undefined
  /** A person asks for what is fetched, and not a run, which has limits of its own. */
  isCounted?: boolean | undefined
  deadlineMs?: number | undefined
}

/** Names that mean no variable which the user can see (D22) are absent. A missing value does not reject. */
export async function resolveVariables(
  ctx: Context,
  { names, user, consent, signal, isCounted = false, deadlineMs = DEADLINE_MS }: ResolveRequest,
): Promise<Map<string, ResolvedVariable>> {
  if (names.length === 0) return new Map()
  const records = await recordsOf(ctx, { names, user })
  const isWithheld = withheldBy(consent)
  const deadline = records.some((one) => isFetched(one) && !isWithheld(one))
    ? AbortSignal.timeout(deadlineMs)
    : undefined
  const stop = AbortSignal.any([signal, deadline].filter((one) => one !== undefined))
  const beforeFetch = isCounted && { beforeFetch: () => countFetch(ctx, user.id) }
  const resolveOne = async (variable: (typeof records)[number]) => {
    if (isWithheld(variable)) return withheldValue(ctx.now())
    const outcome = await findValue(ctx, { variable, userId: user.id, signal: stop, ...beforeFetch })
    const isLate = 'error' in outcome && deadline?.aborted === true && signal?.aborted !== true
    return toResolved({ variable, outcome: isLate ? { error: tooLate(deadlineMs) } : outcome, at: ctx.now() })
  }
  const resolved = await pMap(records, resolveOne, { concurrency: AT_ONCE })
  return underNames({ names, records, values: resolved })
}

/** Null for fetched values, which may always differ. Names without a variable that the user can see are absent. */
export async function readFingerprints(
  ctx: Context,
  { names, user }: WantedNames,
): Promise<Map<string, string | null>> {
  if (names.length === 0) return new Map()
  const records = await recordsOf(ctx, { names, user })
  const fingerprintOf = (variable: (typeof records)[number]) =>
    isFetched(variable) ? null : `${variable.id}:${variable.revision}`
  return underNames({ names, records, values: records.map(fingerprintOf) })
}

export interface Place {
  name: string
  kind: AttachmentKind
}

/** Those of the names, in their order, that mean an image or document variable without a file. */
export async function listPlaces(ctx: Context, { names, user }: WantedNames): Promise<Place[]> {
  if (names.length === 0) return []
  const records = await recordsOf(ctx, { names, user })
  const kinds = underNames({ names, records, values: records.map(kindOfPlace) })
  return names.flatMap((name) => {
    const kind = kinds.get(name)
    return kind === undefined ? [] : [{ name, kind }]
  })
}

export interface NamedVariable {
  /** Whether something stands for it; what would be fetched counts as a value. */
  hasValue: boolean
  type: SourceRecord['type']
  /** What a text may be; none: anything. */
  allowedValues: string[]
}

/** Of each name that means a variable which the person can see. */
export async function describeNames(
  ctx: Context,
  { names, user, consent }: ConsentedNames,
): Promise<Map<string, NamedVariable>> {
  if (names.length === 0) return new Map()
  const isWithheld = withheldBy(consent)
  const records = await recordsOf(ctx, { names, user })
  const values = records.map((record): NamedVariable => {
    if (isWithheld(record)) return { type: 'text', allowedValues: [], hasValue: false }
    const { type, allowedValues, content } = record
    return { type, allowedValues, hasValue: type !== 'text' || content !== '' }
  })
  return underNames({ names, records, values })
}

function kindOfPlace({ type, content }: SourceRecord): AttachmentKind | undefined {
  return isMedia(type) && content === '' ? type : undefined
}

/** Those of the names, in lower case, that mean a variable which only this person sees. */
export async function listPrivateNames(ctx: Context, { names, user }: WantedNames): Promise<string[]> {
  if (names.length === 0) return []
  const records = await recordsOf(ctx, { names, user })
  return records.filter(({ isPublic }) => !isPublic).map(({ name }) => name.toLowerCase())
}

interface Named {
  name: string
  isPublic: boolean
}

/** The one rule of what may be filled in: a private value needs its person's consent, a public one none (D69). */
function withheldBy({ withheld }: Consent): (variable: Named) => boolean {
  return ({ name, isPublic }) => !isPublic && withheld.has(name.toLowerCase())
}

/** As for a name that means nothing: not even that there is a value gets out. */
function withheldValue(at: Date): ResolvedVariable {
  const ofNone = { type: 'none', variableId: null, revision: null, source: null, cachedAt: null } as const
  return { value: null, origin: { ...ofNone, at: at.toISOString(), error: WITHHELD } }
}

function toResolved({
  variable,
  outcome,
  at,
}: {
  variable: SourceRecord
  outcome: Outcome
  at: Date
}): ResolvedVariable {
  const { type, id: variableId, revision, isPublic } = variable
  const origin = {
    type,
    variableId,
    revision,
    isPrivate: !isPublic,
    source: describeSource(variable),
    at: at.toISOString(),
  }
  if ('error' in outcome) {
    const { error } = outcome
    return { value: null, origin: { ...origin, cachedAt: null, error: error.message } }
  }
  const { text, cachedAt } = outcome
  const { attachment } = variable
  return {
    value: text,
    ...(attachment && { attachment }),
    origin: { ...origin, cachedAt: cachedAt?.toISOString() ?? null, error: null },
  }
}

function tooLate(deadlineMs: number): SourceError {
  return new SourceError(`The values of this run did not arrive within ${deadlineMs / 1000} seconds`)
}

function recordsOf(ctx: Context, { names, user }: WantedNames) {
  return variablesByNames(ctx)({ viewerId: user.id, names })
}

function underNames<Value>({
  names,
  records,
  values,
}: {
  names: string[]
  records: Pick<VariableRecord, 'name'>[]
  values: Value[]
}): Map<string, Value> {
  const places = new Map(records.map(({ name }, place) => [name.toLowerCase(), place]))
  const meant = names.map((name) => [name, places.get(name.toLowerCase())] as const)
  return new Map(
    meant.flatMap(([name, place]) => (place === undefined ? [] : [[name, values[place] as Value]])),
  )
}

/** Runs rarely give a value for such a name; finding that out should cost no statement. */
const limitedNames = onePerApp(({ db, rowChanges }) =>
  readThroughCache({
    rowChanges,
    load: (_whose: 'everyone') => listLimitedNames(db),
    rowsOf: () => ['variables:any'],
    capacity: 1,
  }),
)

/** Throws `invalid` for a typed value that the list of the variable which the name means doesn't have. */
export async function requireAllowed(
  ctx: Context,
  { typed, user }: { typed: ReadonlyMap<string, string>; user: User },
): Promise<void> {
  if (typed.size === 0) return
  const limited = await limitedNames(ctx)('everyone')
  const names = [...typed.keys()].filter((name) => limited.has(name.toLowerCase()))
  if (names.length === 0) return
  const meant = await recordsOf(ctx, { names, user })
  const listOf = new Map(meant.map(({ name, allowedValues }) => [name.toLowerCase(), allowedValues]))
  const details = [...typed].flatMap(([name, value]) => {
    const allowed = listOf.get(name.toLowerCase()) ?? []
    if (allowsValue(allowed, value)) return []
    return [{ path: `variableValues.${name}`, message: refusalOf({ name, allowed }) }]
  })
  if (details[0]) throw new AppError('invalid', details[0].message, { details })
}

function refusalOf({ name, allowed }: { name: string; allowed: string[] }): string {
  return `${ALLOWED_VALUE_REFUSED} of ${name}: ${allowed.join(', ')}`
}
