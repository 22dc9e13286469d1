import { AppError } from '../../errors.ts'
import { type Context, onePerApp, transaction } from '../../platform/context.ts'
import { recordActivity } from '../activity/activity.ts'
import { AccessRefused, createDriveApi } from './drive-api.ts'
import { connectionEnded, notConfigured, notConnected } from './drive-errors.ts'
import { openOptionalTokens, sealTokens, type Tokens } from './drive-tokens.ts'
import { createCallGoogle } from './google-client.ts'
import {
  deleteConnection,
  findOptionalConnection,
  replaceConnection,
  type StoredConnection,
  updateTokens,
} from './google-drive.sql.ts'
import { createGoogleOAuth, DRIVE_SCOPE, type GrantedTokens } from './google-oauth.ts'

/** An access token with less life than this is renewed first. */
const RENEW_BEFORE_MS = 60_000

export const google = onePerApp(({ serviceClient, settings }) => {
  if (settings.google === undefined) return undefined
  const wire = { google: settings.google, call: createCallGoogle(serviceClient) }
  return { oauth: createGoogleOAuth(wire), drive: createDriveApi(wire) }
})

export function requireGoogle(ctx: Context) {
  const wires = google(ctx)
  if (wires === undefined) throw notConfigured()
  return wires
}

export async function findOptionalEmail(
  { db, secrets }: Context,
  userId: number,
): Promise<string | undefined> {
  const stored = await findOptionalConnection(db, userId)
  return stored === undefined || openOptionalTokens(secrets, { userId, stored }) === undefined
    ? undefined
    : stored.email
}

interface Granted {
  userId: number
  email: string
  granted: GrantedTokens
  refreshToken: string
}

export async function storeConnection(
  ctx: Context,
  { userId, email, granted, refreshToken }: Granted,
): Promise<void> {
  const sealed = sealTokens(ctx.secrets, { userId, accessToken: granted.accessToken, refreshToken })
  const accessTokenExpiresAt = expiryOf(granted, ctx.now())
  const connection = { userId, email, scope: DRIVE_SCOPE, ...sealed, accessTokenExpiresAt }
  await transaction(ctx, async (ctx) => {
    await replaceConnection(ctx.db, connection)
    await recordActivity(ctx, {
      kind: 'google_drive.connected',
      object: 'account',
      id: userId,
      personId: userId,
    })
  })
}

export async function forgetConnection(ctx: Context, userId: number): Promise<string | undefined> {
  const stored = await findOptionalConnection(ctx.db, userId)
  await endConnection(ctx, { userId, kind: 'google_drive.disconnected' })
  return stored && openOptionalTokens(ctx.secrets, { userId, stored })?.refreshToken
}

interface Ended {
  userId: number
  expiresAt?: Date
  kind: 'google_drive.disconnected' | 'google_drive.ended'
}

export function endConnection(ctx: Context, { kind, ...ended }: Ended): Promise<boolean> {
  return transaction(ctx, async (ctx) => {
    if (!(await deleteConnection(ctx.db, ended))) return false
    await recordActivity(ctx, { kind, object: 'account', id: ended.userId })
    return true
  })
}

/** Runs `use` with a valid access token; throws `conflict` when nothing is connected, or no longer. */
export async function withToken<T>(
  ctx: Context,
  { userId, use }: { userId: number; use: (accessToken: string) => Promise<T> },
): Promise<T> {
  const connection = await requireConnection(ctx, userId)
  const accessToken = isFresh(connection, ctx.now())
    ? connection.tokens.accessToken
    : await renewOnce(ctx, { userId })
  try {
    return await use(accessToken)
  } catch (error) {
    if (!(error instanceof AccessRefused)) throw error
  }
  const renewed = await renewOnce(ctx, { userId, refused: accessToken })
  try {
    return await use(renewed)
  } catch (error) {
    if (!(error instanceof AccessRefused)) throw error
    await endConnection(ctx, { userId, kind: 'google_drive.ended' })
    throw connectionEnded()
  }
}

const renewals = onePerApp(() => new Map<number, Promise<string>>())

/** Concurrent callers wait for one renewal: Google may accept a refresh token only once. */
function renewOnce(ctx: Context, { userId, refused }: { userId: number; refused?: string }): Promise<string> {
  const underWay = renewals(ctx)
  const running = underWay.get(userId)
  if (running !== undefined) return running
  const started = renew(ctx, { userId, refused }).finally(() => underWay.delete(userId))
  underWay.set(userId, started)
  return started
}

function isFresh({ accessTokenExpiresAt }: StoredConnection, now: Date): boolean {
  return accessTokenExpiresAt.getTime() - RENEW_BEFORE_MS > now.getTime()
}

function expiryOf({ lifeSeconds }: GrantedTokens, now: Date): Date {
  return new Date(now.getTime() + lifeSeconds * 1000)
}

async function requireConnection(
  { db, secrets }: Context,
  userId: number,
): Promise<StoredConnection & { tokens: Tokens }> {
  const stored = await findOptionalConnection(db, userId)
  const tokens = stored && openOptionalTokens(secrets, { userId, stored })
  if (stored === undefined || tokens === undefined) throw notConnected()
  return { ...stored, tokens }
}

async function renew(
  ctx: Context,
  { userId, refused }: { userId: number; refused: string | undefined },
): Promise<string> {
  const { db, secrets, now } = ctx
  const { oauth } = requireGoogle(ctx)
  const { id, tokens, ...stored } = await requireConnection(ctx, userId)
  // Another process may have renewed it already.
  if (tokens.accessToken !== refused && isFresh({ id, ...stored }, now())) return tokens.accessToken
  const granted = await oauth.refresh(tokens.refreshToken).catch(async (error: unknown) => {
    const isEnded = error instanceof AppError && error.code === 'conflict'
    if (!isEnded) throw error
    const { accessTokenExpiresAt: expiresAt } = stored
    if (await endConnection(ctx, { userId, expiresAt, kind: 'google_drive.ended' })) throw error
    return undefined
  })
  if (granted !== undefined) {
    const { accessToken, refreshToken = tokens.refreshToken } = granted
    const sealed = sealTokens(secrets, { userId, accessToken, refreshToken })
    const accessTokenExpiresAt = expiryOf(granted, now())
    const isKept = await updateTokens(db, {
      id,
      from: stored.accessTokenExpiresAt,
      ...sealed,
      accessTokenExpiresAt,
    })
    if (isKept) return accessToken
  }
  // Reconnected or disconnected while Google was asked: what is stored now counts.
  return (await requireConnection(ctx, userId)).tokens.accessToken
}
