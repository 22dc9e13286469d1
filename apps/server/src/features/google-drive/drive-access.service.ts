import type { Database } from '../../db/executor.ts'
import { AppError } from '../../errors.ts'
import type { SecretBox } from '../../platform/secrets/secret-box.ts'
import { AccessRefused } from './drive-api.ts'
import { connectionEnded, notConnected } from './drive-errors.ts'
import { openOptionalTokens, sealTokens, type Tokens } from './drive-tokens.ts'
import {
  deleteConnection,
  findOptionalConnection,
  replaceConnection,
  type StoredConnection,
  updateTokens,
} from './google-drive.repository.ts'
import { DRIVE_SCOPE, type GoogleOAuth, type GrantedTokens } from './google-oauth.ts'

/** An access token with less life than this is renewed first. */
const RENEW_BEFORE_MS = 60_000

export type DriveAccess = ReturnType<typeof createDriveAccess>

export interface DriveAccessDeps {
  db: Database
  secrets: SecretBox
  oauth: Pick<GoogleOAuth, 'refresh' | 'revoke'>
  now: () => Date
}

/** The tokens of people's connections: sealed when stored, renewed when due, deleted when Google ends them. */
export function createDriveAccess(deps: DriveAccessDeps) {
  const { db, secrets, now } = deps
  const renewals = new Map<number, Promise<string>>()

  /** Callers at the same time wait for one renewal: Google may give a refresh token one use only. */
  function renewOnce({ userId, refused }: { userId: number; refused?: string }): Promise<string> {
    const running = renewals.get(userId)
    if (running !== undefined) return running
    const started = renew(deps, { userId, refused }).finally(() => renewals.delete(userId))
    renewals.set(userId, started)
    return started
  }

  return {
    /** Whose Drive the person has connected; undefined when none that can be used. */
    async findOptionalEmail(userId: number): Promise<string | undefined> {
      const stored = await findOptionalConnection(db, userId)
      return stored === undefined || openOptionalTokens(secrets, { userId, stored }) === undefined
        ? undefined
        : stored.email
    },

    /** Stores what Google granted, in place of what was. */
    async store({
      userId,
      email,
      granted,
      refreshToken,
    }: {
      userId: number
      email: string
      granted: GrantedTokens
      refreshToken: string
    }): Promise<void> {
      const sealed = sealTokens(secrets, { userId, accessToken: granted.accessToken, refreshToken })
      const accessTokenExpiresAt = expiryOf(granted, now())
      await replaceConnection(db, { userId, email, scope: DRIVE_SCOPE, ...sealed, accessTokenExpiresAt })
    },

    /** Deletes the tokens; the result is the refresh token, as far as there was one that could be read. */
    async forget(userId: number): Promise<string | undefined> {
      const stored = await findOptionalConnection(db, userId)
      await deleteConnection(db, { userId, action: 'google_drive.disconnected' })
      return stored && openOptionalTokens(secrets, { userId, stored })?.refreshToken
    },

    /** Runs `use` with a valid access token; throws `conflict` when nothing is connected, or no longer. */
    async withToken<T>({
      userId,
      use,
    }: {
      userId: number
      use: (accessToken: string) => Promise<T>
    }): Promise<T> {
      const connection = await requireConnection(deps, userId)
      const accessToken = isFresh(connection, now())
        ? connection.tokens.accessToken
        : await renewOnce({ userId })
      try {
        return await use(accessToken)
      } catch (error) {
        if (!(error instanceof AccessRefused)) throw error
      }
      const renewed = await renewOnce({ userId, refused: accessToken })
      try {
        return await use(renewed)
      } catch (error) {
        if (!(error instanceof AccessRefused)) throw error
        await deleteConnection(db, { userId, action: 'google_drive.ended' })
        throw connectionEnded()
      }
    },
  }
}

function isFresh({ accessTokenExpiresAt }: StoredConnection, now: Date): boolean {
  return accessTokenExpiresAt.getTime() - RENEW_BEFORE_MS > now.getTime()
}

function expiryOf({ lifeSeconds }: GrantedTokens, now: Date): Date {
  return new Date(now.getTime() + lifeSeconds * 1000)
}

async function requireConnection(
  { db, secrets }: DriveAccessDeps,
  userId: number,
): Promise<StoredConnection & { tokens: Tokens }> {
  const stored = await findOptionalConnection(db, userId)
  const tokens = stored && openOptionalTokens(secrets, { userId, stored })
  if (stored === undefined || tokens === undefined) throw notConnected()
  return { ...stored, tokens }
}

async function renew(
  deps: DriveAccessDeps,
  { userId, refused }: { userId: number; refused: string | undefined },
): Promise<string> {
  const { db, secrets, oauth, now } = deps
  const { id, tokens, ...stored } = await requireConnection(deps, userId)
  // Another process may have renewed it already.
  if (tokens.accessToken !== refused && isFresh({ id, ...stored }, now())) return tokens.accessToken
  const granted = await oauth.refresh(tokens.refreshToken).catch(async (error: unknown) => {
    const isEnded = error instanceof AppError && error.code === 'conflict'
    if (!isEnded) throw error
    const { accessTokenExpiresAt: expiresAt } = stored
    if (await deleteConnection(db, { userId, expiresAt, action: 'google_drive.ended' })) throw error
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
  return (await requireConnection(deps, userId)).tokens.accessToken
}
