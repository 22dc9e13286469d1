import {
  MAX_ID,
  type ProxyReply,
  type TryAddressRequest,
  type User,
  type VariableContent,
  type VariablePreview,
} from '@catenary/contracts'
import { variablePlaceholder } from '@catenary/domain'
import { AppError, fieldError } from '../../../errors.ts'
import type { VariableRecord } from '../variable-record.ts'
import { missingSource, SourceError, type SourceRecord, withoutQuery } from '../variable-sources.ts'
import type { VariableValues } from '../variable-values-deps.ts'
import { canSeeVariable } from '../variables.policy.ts'
import { findOptionalVariable } from '../variables.repository.ts'
import { fetchNow, fetchWithPermit, findValue, isFetched, type Outcome } from './find-value.ts'

interface Viewing {
  user: User | null
  signal: AbortSignal
}

/** One text, whether there is content or not. */
export async function previewVariable(
  values: VariableValues,
  { id, ...viewer }: Viewing & { id: number },
): Promise<VariablePreview> {
  const variable = await requireById(values, { id, user: viewer.user })
  const missing = missingSource(variable)
  if (missing !== undefined) return { preview: missing }
  const outcome = await show(values, { variable, ...viewer })
  if (!('error' in outcome)) return { preview: outcome.text }
  const { message } = outcome.error
  return { preview: `Error loading content: ${message}`, error: message }
}

/** Digits are an id first, else a name (D23). */
export async function readContent(
  values: VariableValues,
  { idOrName, ...viewer }: Viewing & { idOrName: string },
): Promise<VariableContent> {
  const { user } = viewer
  const isDigits = /^[0-9]+$/.test(idOrName)
  const byId = isDigits ? await findOptionalById(values, { id: Number(idOrName), user }) : undefined
  const [byName] = byId ? [] : await values.listByNames({ viewerId: user?.id, names: [idOrName] })
  const variable = byId ?? byName
  if (variable === undefined) throw new AppError('not_found', `Variable ${idOrName} not defined in system`)
  const outcome = await show(values, { variable, ...viewer })
  return 'error' in outcome ? { error: outcome.error.message } : { content: outcome.text }
}

/** The image or PDF itself; throws `not_found` for a variable without one, or that the viewer can't see. */
export async function readVariableFile(values: VariableValues, wanted: { id: number; user: User | null }) {
  const { attachment } = await requireById(values, wanted)
  const found = attachment === null ? undefined : await values.readMedia(attachment.fileId)
  if (found === undefined) throw new AppError('not_found', 'This variable has no image or PDF')
  return found
}

interface Fetching {
  user: User
  signal: AbortSignal
}

/** Fetches an API variable now, past the cache; only its own address (D24). */
export async function fetchVariable(
  values: VariableValues,
  { variableId, url, user, signal }: Fetching & { variableId: number; url: string },
): Promise<ProxyReply> {
  const variable = await requireById(values, { id: variableId, user })
  // Who does not see its query asks for it as they see it.
  const addresses = [variable.apiUrl, withoutQuery(variable.apiUrl)]
  if (variable.type !== 'api' || !addresses.includes(url)) {
    throw fieldError('url', 'This is not the address of the variable')
  }
  await values.limits.claim(user.id)
  try {
    const { text, contentType, fetchedAt } = await fetchNow(values, { variable, userId: user.id, signal })
    return { content: text, contentType, fetchedAt: fetchedAt.toISOString() }
  } catch (error) {
    throw toProxyError(error)
  }
}

/** Fetches an address with the person's own headers, so that it can be tried before it is saved. */
export async function tryAddress(
  values: VariableValues,
  { apiUrl: url, apiHeaders: headers = {}, user, signal }: TryAddressRequest & Fetching,
): Promise<ProxyReply> {
  await values.limits.claim(user.id)
  try {
    const fetch = () => values.sources.readAddress({ url, headers, signal })
    const { text, contentType } = await fetchWithPermit(values, { userId: user.id, signal }, fetch)
    return { content: text, contentType, fetchedAt: values.now().toISOString() }
  } catch (error) {
    throw toProxyError(error)
  }
}

/** For a viewer; nothing is fetched for guests. */
async function show(
  values: VariableValues,
  { variable, user, signal }: Viewing & { variable: SourceRecord },
): Promise<Outcome> {
  if (user === null && isFetched(variable)) return { text: variablePlaceholder(variable), cachedAt: null }
  const userId = user?.id
  return findValue(values, { variable, userId, signal, beforeFetch: () => values.limits.claim(userId ?? 0) })
}

async function requireById(
  values: VariableValues,
  wanted: { id: number; user: User | null },
): Promise<VariableRecord> {
  const found = await findOptionalById(values, wanted)
  if (found === undefined) throw new AppError('not_found', 'Variable not found')
  return found
}

async function findOptionalById(
  { db }: VariableValues,
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
