import {
  MAX_ID,
  type ProxyReply,
  type TryAddressRequest,
  type User,
  type VariableContent,
  type VariablePreview,
} from '@catenary/contracts'
import { variablePlaceholder } from '@catenary/domain'
import { AppError, fieldError } from '../../errors.ts'
import type { Context } from '../../platform/context.ts'
import { readMedia } from '../files/files.ts'
import { countFetch, fetchInTurn, fetchNow, findValue, isFetched, type Outcome } from './fetch-value.ts'
import {
  missingSource,
  readAddress,
  SourceError,
  type SourceRecord,
  withoutQuery,
} from './variable-sources.ts'
import { canSeeVariable } from './variables.policy.ts'
import { findOptionalVariable, type VariableRecord, variablesByNames } from './variables.sql.ts'

interface Viewing {
  user: User | null
  signal: AbortSignal
}

export async function previewVariable(
  ctx: Context,
  { id, ...viewer }: Viewing & { id: number },
): Promise<VariablePreview> {
  const variable = await requireById(ctx, { id, user: viewer.user })
  const missing = missingSource(variable)
  if (missing !== undefined) return { preview: missing }
  const outcome = await show(ctx, { variable, ...viewer })
  if (!('error' in outcome)) return { preview: outcome.text }
  const { message } = outcome.error
  return { preview: `Error loading content: ${message}`, error: message }
}

/** Digits are an id first, else a name (D23). */
export async function readContent(
  ctx: Context,
  { idOrName, ...viewer }: Viewing & { idOrName: string },
): Promise<VariableContent> {
  const { user } = viewer
  const isDigits = /^[0-9]+$/.test(idOrName)
  const byId = isDigits ? await findOptionalById(ctx, { id: Number(idOrName), user }) : undefined
  const [byName] = byId ? [] : await variablesByNames(ctx)({ viewerId: user?.id, names: [idOrName] })
  const variable = byId ?? byName
  if (variable === undefined) throw new AppError('not_found', `Variable ${idOrName} not defined in system`)
  const outcome = await show(ctx, { variable, ...viewer })
  return 'error' in outcome ? { error: outcome.error.message } : { content: outcome.text }
}

/** The image or PDF itself; throws `not_found` for a variable without one, or that the viewer can't see. */
export async function readVariableFile(ctx: Context, wanted: { id: number; user: User | null }) {
  const { attachment } = await requireById(ctx, wanted)
  const found = attachment === null ? undefined : await readMedia(ctx, attachment.fileId)
  if (found === undefined) throw new AppError('not_found', 'This variable has no image or PDF')
  return found
}

interface Fetching {
  user: User
  signal: AbortSignal
}

export async function fetchVariable(
  ctx: Context,
  { variableId, url, user, signal }: Fetching & { variableId: number; url: string },
): Promise<ProxyReply> {
  const variable = await requireById(ctx, { id: variableId, user })
  // Who does not see its query asks for it as they see it.
  const addresses = [variable.apiUrl, withoutQuery(variable.apiUrl)]
  if (variable.type !== 'api' || !addresses.includes(url)) {
    throw fieldError('url', 'This is not the address of the variable')
  }
  await countFetch(ctx, user.id)
  try {
    const { text, contentType, fetchedAt } = await fetchNow(ctx, { variable, userId: user.id, signal })
    return { content: text, contentType, fetchedAt: fetchedAt.toISOString() }
  } catch (error) {
    throw toProxyError(error)
  }
}

/** Fetches an address with the person's own headers, so that it can be tried before it is saved. */
export async function tryAddress(
  ctx: Context,
  { apiUrl: url, apiHeaders: headers = {}, user, signal }: TryAddressRequest & Fetching,
): Promise<ProxyReply> {
  await countFetch(ctx, user.id)
  try {
    const fetch = () => readAddress(ctx, { url, headers, signal })
    const { text, contentType } = await fetchInTurn(ctx, { userId: user.id, signal }, fetch)
    return { content: text, contentType, fetchedAt: ctx.now().toISOString() }
  } catch (error) {
    throw toProxyError(error)
  }
}

/** For a viewer; nothing is fetched for guests. */
async function show(
  ctx: Context,
  { variable, user, signal }: Viewing & { variable: SourceRecord },
): Promise<Outcome> {
  if (user === null && isFetched(variable)) return { text: variablePlaceholder(variable), cachedAt: null }
  const userId = user?.id
  return findValue(ctx, { variable, userId, signal, beforeFetch: () => countFetch(ctx, userId ?? 0) })
}

async function requireById(ctx: Context, wanted: { id: number; user: User | null }): Promise<VariableRecord> {
  const found = await findOptionalById(ctx, wanted)
  if (found === undefined) throw new AppError('not_found', 'Variable not found')
  return found
}

async function findOptionalById(
  { db }: Context,
  { id, user }: { id: number; user: User | null },
): Promise<VariableRecord | undefined> {
  if (id > MAX_ID) return undefined
  const found = await findOptionalVariable(db, id)
  return found !== undefined && canSeeVariable(user, found) ? found : undefined
}

function toProxyError(error: unknown): unknown {
  if (!(error instanceof SourceError)) return error
  return new AppError(error.isRefused ? 'invalid' : 'upstream', error.message)
}
