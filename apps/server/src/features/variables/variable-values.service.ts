import {
  MAX_ID,
  type ProxyReply,
  type TryAddressRequest,
  type User,
  type ValueOrigin,
  type VariableContent,
  type VariablePreview,
} from '@catenary/contracts'
import { variablePlaceholder } from '@catenary/domain'
import pMap from 'p-map'
import type { Database } from '../../db/executor.ts'
import { AppError, fieldError } from '../../errors.ts'
import { createFetchRateLimiter } from './fetch-rate-limiter.ts'
import { createFetchSemaphore } from './fetch-semaphore.ts'
import { underNames } from './under-names.ts'
import { findOptionalFetch, saveFetch } from './variable-fetches.repository.ts'
import type { VariableRecord } from './variable-record.ts'
import {
  createVariableSources,
  describeSource,
  missingSource,
  SourceError,
  type SourceRecord,
  type SourceRequest,
  type SourcesDeps,
} from './variable-sources.ts'
import { canSeeVariable } from './variables.policy.ts'
import { findOptionalVariable, prepareListVariablesByNames } from './variables.repository.ts'

/** Values fetched for one run at the same time. */
const AT_ONCE = 8
/** How long a run waits for all its values together: a client gives up after 20 s of silence. */
const DEADLINE_MS = 15_000

/** What a reference stands for, and where that came from. */
export interface ResolvedVariable {
  /** null: there is none; `origin.error` says why. */
  value: string | null
  origin: ValueOrigin
}

export interface ResolveRequest {
  names: string[]
  user: User
  /** Aborted: what is still fetched then fails, at once. */
  signal?: AbortSignal | undefined
}

interface ValueRequest extends SourceRequest {
  /** On whose behalf; undefined for stored values. */
  userId: number | undefined
}

interface Viewing {
  user: User | null
  signal: AbortSignal
}

/** A value, or why there is none. */
type Outcome = { text: string; cachedAt: Date | null } | { error: SourceError }

export interface VariableValuesDeps extends SourcesDeps {
  db: Database
  now: () => Date
  deadlineMs?: number
}

/** What variables stand for now: stored, uploaded, fetched, or fetched a while ago (D22–D26). */
export function createVariableValues({ db, now, deadlineMs = DEADLINE_MS, ...deps }: VariableValuesDeps) {
  const sources = createVariableSources(deps)
  const limits = createFetchRateLimiter({ now })
  const withPermit = createFetchSemaphore()
  const listVariablesByNames = prepareListVariablesByNames(db)

  async function findOptionalById({ id, user }: { id: number; user: User | null }) {
    if (id > MAX_ID) return undefined
    const found = await findOptionalVariable(db, id)
    return found !== undefined && canSeeVariable(user, found) ? found : undefined
  }

  async function requireById({ id, user }: { id: number; user: User | null }): Promise<VariableRecord> {
    const found = await findOptionalById({ id, user })
    if (found === undefined) throw new AppError('not_found', 'Variable not found')
    return found
  }

  /** Each person's fetches wait for their own alone. Throws SourceError. */
  async function fetchInTurn<T>(turn: { userId: number; signal: AbortSignal }, fetch: () => Promise<T>) {
    try {
      return await withPermit(turn, fetch)
    } catch (error) {
      if (error instanceof SourceError) throw error
      throw new SourceError('The fetch was stopped', { cause: error })
    }
  }

  async function readNow({ userId, ...request }: ValueRequest) {
    if (userId === undefined || !isFetched(request.variable)) return sources.read(request)
    return fetchInTurn({ userId, signal: request.signal }, () => sources.read(request))
  }

  /** Fetches, and keeps what came for as long as the variable allows. Throws SourceError. */
  async function fetchNow({ variable, userId, signal }: ValueRequest) {
    const read = await readNow({ variable, userId, signal })
    const fetchedAt = now()
    if (variable.cacheSeconds > 0) {
      const { id: variableId, revision } = variable
      await saveFetch(db, { variableId, revision, content: read.text, fetchedAt })
    }
    return { ...read, fetchedAt }
  }

  async function findKept({ id: variableId, revision, cacheSeconds }: SourceRecord) {
    if (cacheSeconds === 0) return undefined
    const kept = await findOptionalFetch(db, { variableId, revision })
    const age = kept && now().getTime() - kept.fetchedAt.getTime()
    return age !== undefined && age >= 0 && age < cacheSeconds * 1000 ? kept : undefined
  }

  async function findValue({
    variable,
    beforeFetch,
    ...request
  }: ValueRequest & { beforeFetch?: () => void }): Promise<Outcome> {
    const kept = await findKept(variable)
    if (kept !== undefined) return { text: kept.content, cachedAt: kept.fetchedAt }
    if (isFetched(variable)) beforeFetch?.()
    try {
      return { text: (await fetchNow({ variable, ...request })).text, cachedAt: null }
    } catch (error) {
      if (error instanceof SourceError) return { error }
      throw error
    }
  }

  /** For a viewer; nothing is fetched for guests. */
  async function show({ variable, user, signal }: Viewing & { variable: SourceRecord }) {
    if (user === null && isFetched(variable)) return { text: variablePlaceholder(variable), cachedAt: null }
    const userId = user?.id
    return findValue({ variable, userId, signal, beforeFetch: () => limits.claim(userId ?? 0) })
  }

  return {
    /** One text, whether there is content or not. */
    async preview({ id, ...viewer }: Viewing & { id: number }): Promise<VariablePreview> {
      const variable = await requireById({ id, user: viewer.user })
      const missing = missingSource(variable)
      if (missing !== undefined) return { preview: missing }
      const outcome = await show({ variable, ...viewer })
      if (!('error' in outcome)) return { preview: outcome.text }
      return { preview: placeholderFor(outcome.error), error: outcome.error.message }
    },

    /** Digits are an id first, else a name (D23). */
    async content({ idOrName, ...viewer }: Viewing & { idOrName: string }): Promise<VariableContent> {
      const { user } = viewer
      const isDigits = /^[0-9]+$/.test(idOrName)
      const byId = isDigits ? await findOptionalById({ id: Number(idOrName), user }) : undefined
      const [byName] = byId ? [] : await listVariablesByNames({ viewerId: user?.id, names: [idOrName] })
      const variable = byId ?? byName
      if (variable === undefined)
        throw new AppError('not_found', `Variable ${idOrName} not defined in system`)
      const outcome = await show({ variable, ...viewer })
      return 'error' in outcome ? { error: outcome.error.message } : { content: outcome.text }
    },

    /** Fetches an API variable now, past the cache; only its own address (D24). */
    async fetch({
      variableId,
      url,
      user,
      signal,
    }: {
      variableId: number
      url: string
      user: User
      signal: AbortSignal
    }): Promise<ProxyReply> {
      const variable = await requireById({ id: variableId, user })
      if (variable.type !== 'api' || variable.apiUrl !== url) {
        throw fieldError('url', 'This is not the address of the variable')
      }
      limits.claim(user.id)
      try {
        const { text, contentType, fetchedAt } = await fetchNow({ variable, userId: user.id, signal })
        return { content: text, contentType, fetchedAt: fetchedAt.toISOString() }
      } catch (error) {
        throw toProxyError(error)
      }
    },

    /** Fetches an address with the person's own headers, so that it can be tried before it is saved. */
    async tryAddress({
      apiUrl: url,
      apiHeaders: headers = {},
      user,
      signal,
    }: TryAddressRequest & { user: User; signal: AbortSignal }): Promise<ProxyReply> {
      limits.claim(user.id)
      try {
        const fetch = () => sources.readAddress({ url, headers, signal })
        const { text, contentType } = await fetchInTurn({ userId: user.id, signal }, fetch)
        return { content: text, contentType, fetchedAt: now().toISOString() }
      } catch (error) {
        throw toProxyError(error)
      }
    },

    /**
     * A fingerprint of each variable's current value; null for fetched values, which may always differ. Names without
     * a variable that the user can see are absent.
     */
    async fingerprints({ names, user }: Omit<ResolveRequest, 'signal'>): Promise<Map<string, string | null>> {
      if (names.length === 0) return new Map()
      const records = await listVariablesByNames({ viewerId: user.id, names })
      const fingerprintOf = (variable: (typeof records)[number]) =>
        isFetched(variable) ? null : `${variable.id}:${variable.revision}`
      return underNames({ names, records, values: records.map(fingerprintOf) })
    },

    /** Those of the names, in lower case, that mean a variable which only this person sees. */
    async privateNames({ names, user }: Omit<ResolveRequest, 'signal'>): Promise<string[]> {
      if (names.length === 0) return []
      const records = await listVariablesByNames({ viewerId: user.id, names })
      return records.filter(({ isPublic }) => !isPublic).map(({ name }) => name.toLowerCase())
    },

    /**
     * The value of each name that means a variable which the user can see (D22); others are absent and stay as they
     * are. Never rejects because of a missing value.
     */
    async resolve({ names, user, signal }: ResolveRequest): Promise<Map<string, ResolvedVariable>> {
      if (names.length === 0) return new Map()
      const records = await listVariablesByNames({ viewerId: user.id, names })
      const deadline = records.some(isFetched) ? AbortSignal.timeout(deadlineMs) : undefined
      const stop = AbortSignal.any([signal, deadline].filter((one) => one !== undefined))
      const resolveOne = async (variable: (typeof records)[number]) => {
        const outcome = await findValue({ variable, userId: user.id, signal: stop })
        const isLate = 'error' in outcome && deadline?.aborted === true && signal?.aborted !== true
        return toResolved({
          variable,
          outcome: isLate ? { error: tooLate(deadlineMs) } : outcome,
          at: now(),
        })
      }
      const resolved = await pMap(records, resolveOne, { concurrency: AT_ONCE })
      return underNames({ names, records, values: resolved })
    },
  }
}

/** Whether its value is asked for outside of this program. */
function isFetched(variable: SourceRecord): boolean {
  const isElsewhere = variable.type === 'api' || variable.type === 'googleDrive'
  return isElsewhere && missingSource(variable) === undefined
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
    ...{ type, variableId, revision, isPrivate: !isPublic },
    ...{ source: describeSource(variable), at: at.toISOString() },
  }
  if ('error' in outcome) {
    const { error } = outcome
    return { value: null, origin: { ...origin, cachedAt: null, error: error.message } }
  }
  const { text, cachedAt } = outcome
  return { value: text, origin: { ...origin, cachedAt: cachedAt?.toISOString() ?? null, error: null } }
}

function toProxyError(error: unknown): unknown {
  if (!(error instanceof SourceError)) return error
  return new AppError(error.isRefused ? 'invalid' : 'upstream', error.message)
}

function placeholderFor({ message }: SourceError): string {
  return `Error loading content: ${message}`
}

function tooLate(deadlineMs: number): SourceError {
  return new SourceError(`The values of this run did not arrive within ${deadlineMs / 1000} seconds`)
}
