import { AppError } from '../../errors.ts'
import { FairSemaphore } from '../../limits/fair-semaphore.ts'
import { type Context, onePerApp } from '../../platform/context.ts'
import {
  missingSource,
  readSource,
  SourceError,
  type SourceRecord,
  type SourceRequest,
} from './variable-sources.ts'
import { findOptionalFetch, saveFetch } from './variables.sql.ts'

/** Fetches of one person under way at once, in this process: those of their runs and previews together. */
const FETCHES_AT_ONCE = 16
const WINDOW_MS = 60_000
const FETCHES_PER_WINDOW = 120

interface ValueRequest extends SourceRequest {
  userId: number | undefined
}

export type Outcome = { text: string; cachedAt: Date | null } | { error: SourceError }

/** The stored value, one fetched a while ago, or else one fetched now, after `beforeFetch`, which may refuse it. */
export async function findValue(
  ctx: Context,
  { variable, beforeFetch, ...request }: ValueRequest & { beforeFetch?: () => Promise<void> },
): Promise<Outcome> {
  const kept = await findKept(ctx, variable)
  if (kept !== undefined) return { text: kept.content, cachedAt: kept.fetchedAt }
  if (isFetched(variable)) await beforeFetch?.()
  try {
    return { text: (await fetchNow(ctx, { variable, ...request })).text, cachedAt: null }
  } catch (error) {
    if (error instanceof SourceError) return { error }
    throw error
  }
}

export async function fetchNow(ctx: Context, { variable, userId, signal }: ValueRequest) {
  const read = () => readSource(ctx, { variable, signal })
  const isWaiting = userId !== undefined && isFetched(variable)
  const value = await (isWaiting ? fetchInTurn(ctx, { userId, signal }, read) : read())
  const fetchedAt = ctx.now()
  if (variable.cacheSeconds > 0) {
    const { id: variableId, revision } = variable
    await saveFetch(ctx.db, { variableId, revision, content: value.text, fetchedAt })
  }
  return { ...value, fetchedAt }
}

const turns = onePerApp(() => new FairSemaphore<number>(Number.POSITIVE_INFINITY, { most: FETCHES_AT_ONCE }))

/** A person's fetches wait for their own fetches, never for another person's. Throws SourceError. */
export async function fetchInTurn<T>(
  ctx: Context,
  { userId, signal }: { userId: number; signal: AbortSignal },
  fetch: () => Promise<T>,
): Promise<T> {
  try {
    signal.throwIfAborted()
    return await turns(ctx).run(userId, fetch, signal)
  } catch (error) {
    if (error instanceof SourceError) throw error
    throw new SourceError('The fetch was stopped', { cause: error })
  }
}

const fetchCounts = onePerApp(({ windows, now }) => windows({ name: 'fetches', now: () => now().getTime() }))

/** Counts a fetch that a person asks for, before it is made; those of runs are limited with the runs. Throws `too_many`. */
export async function countFetch(ctx: Context, userId: number): Promise<void> {
  const added = { key: userId, windowMs: WINDOW_MS, limit: FETCHES_PER_WINDOW, forgetsRefused: true }
  const { current, ttl } = await fetchCounts(ctx).add(added)
  if (current <= FETCHES_PER_WINDOW) return
  const retryAfter = Math.max(1, Math.ceil(ttl / 1000))
  throw new AppError('too_many', `Too many fetches. Try again in ${retryAfter} s.`, { retryAfter })
}

export function isFetched(variable: SourceRecord): boolean {
  const isElsewhere = variable.type === 'api' || variable.type === 'googleDrive'
  return isElsewhere && missingSource(variable) === undefined
}

async function findKept({ db, now }: Context, { id: variableId, revision, cacheSeconds }: SourceRecord) {
  if (cacheSeconds === 0) return undefined
  const kept = await findOptionalFetch(db, { variableId, revision })
  const age = kept && now().getTime() - kept.fetchedAt.getTime()
  return age !== undefined && age >= 0 && age < cacheSeconds * 1000 ? kept : undefined
}
