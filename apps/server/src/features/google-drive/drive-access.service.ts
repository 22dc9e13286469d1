import type { Database } from '../../db/executor.ts'
import { AppError } from '../../errors.ts'
import type { SecretBox } from '../../platform/secrets/secret-box.ts'
import { AccessRefused } from './drive-api.ts'
import { connectionEnded, notConnected } from './drive-errors.ts'
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

interface Tokens {
  accessToken: string
  refreshToken: string
}

/** The tokens of people's connections: sealed when stored, renewed when due, deleted when Google ends them. */
export function createDriveAccess({ db, secrets, oauth, now }: DriveAccessDeps) {
  const renewals = new Map<number, Promise<string>>()

  const contextOf = (userId: number, token: keyof Tokens) => `google-drive/${userId}/${token}`

  function seal({ userId, accessToken, refreshToken }: Tokens & { userId: number }): Tokens {
    return {
      accessToken: secrets.seal({ text: accessToken, context: contextOf(userId, 'accessToken') }),
      refreshToken: secrets.seal({ text: refreshToken, context: contextOf(userId, 'refreshToken') }),
    }
  }

  /** Undefined when another key sealed them. */
  function openOptional({
    userId,
    stored,
  }: {
    userId: number
    stored: StoredConnection
  }): Tokens | undefined {
    const openOne = (token: keyof Tokens) =>
      secrets.openOptional({ sealed: stored[token], context: contextOf(userId, token) })
    const [accessToken, refreshToken] = [openOne('accessToken'), openOne('refreshToken')]
    return accessToken === undefined || refreshToken === undefined ? undefined : { accessToken, refreshToken }
  }

  async function requireConnection(userId: number): Promise<StoredConnection & { tokens: Tokens }> {
    const stored = await findOptionalConnection(db, userId)
    const tokens = stored && openOptional({ userId, stored })
    if (stored === undefined || tokens === undefined) throw notConnected()
    return { ...stored, tokens }
  }

  const isFresh = ({ accessTokenExpiresAt }: StoredConnection) =>
    accessTokenExpiresAt.getTime() - RENEW_BEFORE_MS > now().getTime()

  const expiryOf = ({ lifeSeconds }: GrantedTokens) => new Date(now().getTime() + lifeSeconds * 1000)

  async function renew({ userId, refused }: { userId: number; refused: string | undefined }) {
    const { id, tokens, ...stored } = await requireConnection(userId)
    // Another process may have renewed it already.
    if (tokens.accessToken !== refused && isFresh({ id, ...stored })) return tokens.accessToken
    const granted = await oauth.refresh(tokens.refreshToken).catch(async (error: unknown) => {
      const isEnded = error instanceof AppError && error.code === 'conflict'
      if (!isEnded) throw error
      const { refreshToken } = stored
      if (await deleteConnection(db, { userId, refreshToken, action: 'google_drive.ended' })) throw error
      return undefined
    })
    if (granted !== undefined) {
      const { accessToken, refreshToken = tokens.refreshToken } = granted
      const sealed = seal({ userId, accessToken, refreshToken })
      const accessTokenExpiresAt = expiryOf(granted)
      const isKept = await updateTokens(db, {
        id,
        from: stored.refreshToken,
        ...sealed,
        accessTokenExpiresAt,
      })
      if (isKept) return accessToken
    }
    // Connected anew or disconnected while Google was asked: what is stored now counts.
    return (await requireConnection(userId)).tokens.accessToken
  }

  /** Callers at the same time wait for one renewal: Google may give a refresh token one use only. */
  function renewOnce({ userId, refused }: { userId: number; refused?: string }): Promise<string> {
    const running = renewals.get(userId)
    if (running !== undefined) return running
    const started = renew({ userId, refused }).finally(() => renewals.delete(userId))
    renewals.set(userId, started)
    return started
  }

  return {
    /** Whose Drive the person has connected; undefined when none that can be used. */
    async findOptionalEmail(userId: number): Promise<string | undefined> {
      const stored = await findOptionalConnection(db, userId)
      return stored === undefined || openOptional({ userId, stored }) === undefined ? undefined : stored.email
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
      const sealed = seal({ userId, accessToken: granted.accessToken, refreshToken })
      const accessTokenExpiresAt = expiryOf(granted)
      await replaceConnection(db, { userId, email, scope: DRIVE_SCOPE, ...sealed, accessTokenExpiresAt })
    },

    /** Deletes the tokens; the result is the refresh token, as far as there was one that could be read. */
    async forget(userId: number): Promise<string | undefined> {
      const stored = await findOptionalConnection(db, userId)
      await deleteConnection(db, { userId, action: 'google_drive.disconnected' })
      return stored && openOptional({ userId, stored })?.refreshToken
    },

    /** Runs `use` with a valid access token; throws `conflict` when nothing is connected, or no longer. */
    async withToken<T>({
      userId,
      use,
    }: {
      userId: number
      use: (accessToken: string) => Promise<T>
    }): Promise<T> {
      const connection = await requireConnection(userId)
      const accessToken = isFresh(connection) ? connection.tokens.accessToken : await renewOnce({ userId })
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
