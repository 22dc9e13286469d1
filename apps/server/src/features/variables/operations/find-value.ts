import { findOptionalFetch, saveFetch } from '../variable-fetches.repository.ts'
import { missingSource, SourceError, type SourceRecord, type SourceRequest } from '../variable-sources.ts'
import type { VariableValues } from '../variable-values-deps.ts'

interface ValueRequest extends SourceRequest {
  /** On whose behalf; undefined for stored values. */
  userId: number | undefined
}

/** A value, or why there is none. */
export type Outcome = { text: string; cachedAt: Date | null } | { error: SourceError }

/** The stored value, one fetched a while ago, or else one fetched now, after `beforeFetch`, which may refuse it. */
export async function findValue(
  values: VariableValues,
  { variable, beforeFetch, ...request }: ValueRequest & { beforeFetch?: () => Promise<void> },
): Promise<Outcome> {
  const kept = await findKept(values, variable)
  if (kept !== undefined) return { text: kept.content, cachedAt: kept.fetchedAt }
  if (isFetched(variable)) await beforeFetch?.()
  try {
    return { text: (await fetchNow(values, { variable, ...request })).text, cachedAt: null }
  } catch (error) {
    if (error instanceof SourceError) return { error }
    throw error
  }
}

/** Fetches, and keeps what came for as long as the variable allows. Throws SourceError. */
export async function fetchNow(values: VariableValues, { variable, userId, signal }: ValueRequest) {
  const { db, now, sources } = values
  const read = () => sources.read({ variable, signal })
  const isWaiting = userId !== undefined && isFetched(variable)
  const value = await (isWaiting ? fetchWithPermit(values, { userId, signal }, read) : read())
  const fetchedAt = now()
  if (variable.cacheSeconds > 0) {
    const { id: variableId, revision } = variable
    await saveFetch(db, { variableId, revision, content: value.text, fetchedAt })
  }
  return { ...value, fetchedAt }
}

/** A person's fetches wait only for their own. Throws SourceError. */
export async function fetchWithPermit<T>(
  { withPermit }: VariableValues,
  turn: { userId: number; signal: AbortSignal },
  fetch: () => Promise<T>,
): Promise<T> {
  try {
    return await withPermit(turn, fetch)
  } catch (error) {
    if (error instanceof SourceError) throw error
    throw new SourceError('The fetch was stopped', { cause: error })
  }
}

/** Whether its value is fetched from outside this program. */
export function isFetched(variable: SourceRecord): boolean {
  const isElsewhere = variable.type === 'api' || variable.type === 'googleDrive'
  return isElsewhere && missingSource(variable) === undefined
}

async function findKept(
  { db, now }: VariableValues,
  { id: variableId, revision, cacheSeconds }: SourceRecord,
) {
  if (cacheSeconds === 0) return undefined
  const kept = await findOptionalFetch(db, { variableId, revision })
  const age = kept && now().getTime() - kept.fetchedAt.getTime()
  return age !== undefined && age >= 0 && age < cacheSeconds * 1000 ? kept : undefined
}
