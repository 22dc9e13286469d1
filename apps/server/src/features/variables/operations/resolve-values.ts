import type { AttachmentKind, User } from '@catenary/contracts'
import pMap from 'p-map'
import { type Consent, WITHHELD } from '../../../consent.ts'
import { underNames } from '../under-names.ts'
import { describeSource, isMedia, SourceError, type SourceRecord } from '../variable-sources.ts'
import type { ResolvedVariable, VariableValues } from '../variable-values-deps.ts'
import { findValue, isFetched, type Outcome } from './find-value.ts'

/** Values fetched for one run at the same time. */
const AT_ONCE = 8

export interface WantedNames {
  names: string[]
  user: User
}

/** Whose values, and which of the private ones may enter the text. */
export interface ConsentedNames extends WantedNames {
  consent: Consent
}

export interface ResolveRequest extends ConsentedNames {
  /** Aborted: what is still fetched then fails, at once. */
  signal?: AbortSignal | undefined
}

/**
 * The value of each name that means a variable which the user can see (D22); others are absent and stay as they are.
 * Never rejects because of a missing value.
 */
export async function resolveVariables(
  values: VariableValues,
  { names, user, consent, signal }: ResolveRequest,
): Promise<Map<string, ResolvedVariable>> {
  if (names.length === 0) return new Map()
  const { listByNames, deadlineMs, now } = values
  const records = await listByNames({ viewerId: user.id, names })
  const isWithheld = withheldBy(consent)
  const deadline = records.some((one) => isFetched(one) && !isWithheld(one))
    ? AbortSignal.timeout(deadlineMs)
    : undefined
  const stop = AbortSignal.any([signal, deadline].filter((one) => one !== undefined))
  const resolveOne = async (variable: (typeof records)[number]) => {
    if (isWithheld(variable)) return withheldValue(now())
    const outcome = await findValue(values, { variable, userId: user.id, signal: stop })
    const isLate = 'error' in outcome && deadline?.aborted === true && signal?.aborted !== true
    return toResolved({ variable, outcome: isLate ? { error: tooLate(deadlineMs) } : outcome, at: now() })
  }
  const resolved = await pMap(records, resolveOne, { concurrency: AT_ONCE })
  return underNames({ names, records, values: resolved })
}

/**
 * A fingerprint of each variable's current value; null for fetched values, which may always differ. Names without a
 * variable that the user can see are absent.
 */
export async function readFingerprints(
  { listByNames }: VariableValues,
  { names, user }: WantedNames,
): Promise<Map<string, string | null>> {
  if (names.length === 0) return new Map()
  const records = await listByNames({ viewerId: user.id, names })
  const fingerprintOf = (variable: (typeof records)[number]) =>
    isFetched(variable) ? null : `${variable.id}:${variable.revision}`
  return underNames({ names, records, values: records.map(fingerprintOf) })
}

/** A name that a call's image or PDF can be the value of. */
export interface Place {
  name: string
  kind: AttachmentKind
}

/** Those of the names, in their order, that mean an image or document variable without a file. */
export async function listPlaces(
  { listByNames }: VariableValues,
  { names, user }: WantedNames,
): Promise<Place[]> {
  if (names.length === 0) return []
  const records = await listByNames({ viewerId: user.id, names })
  const kinds = underNames({ names, records, values: records.map(kindOfPlace) })
  return names.flatMap((name) => {
    const kind = kinds.get(name)
    return kind === undefined ? [] : [{ name, kind }]
  })
}

/** What a name means before anything is fetched. */
export interface NamedVariable {
  /** Whether something stands for it; what would be fetched counts as a value. */
  hasValue: boolean
  type: SourceRecord['type']
  /** What a text may be; none: anything. */
  allowedValues: string[]
}

/** Of each name that means a variable which the person can see. */
export async function describeNames(
  { listByNames }: VariableValues,
  { names, user, consent }: ConsentedNames,
): Promise<Map<string, NamedVariable>> {
  if (names.length === 0) return new Map()
  const isWithheld = withheldBy(consent)
  const records = await listByNames({ viewerId: user.id, names })
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
export async function listPrivateNames(
  { listByNames }: VariableValues,
  { names, user }: WantedNames,
): Promise<string[]> {
  if (names.length === 0) return []
  const records = await listByNames({ viewerId: user.id, names })
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

/** As of a name that means nothing: not even that there is a value gets out. */
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
