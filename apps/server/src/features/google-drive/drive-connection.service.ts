import { createHash, randomBytes } from 'node:crypto'
import type { User } from '@catenary/contracts'
import * as z from 'zod'
import type { Database } from '../../db/executor.ts'
import { AppError } from '../../errors.ts'
import type { Log } from '../../platform/log/log.ts'
import type { SecretBox } from '../../platform/secrets/secret-box.ts'
import type { DriveAccess } from './drive-access.service.ts'
import { AccessRefused, type DriveApi } from './drive-api.ts'
import { createAttempt, takeOptionalAttempt } from './google-drive.repository.ts'
import { DRIVE_SCOPE, type GoogleOAuth, type GrantedTokens } from './google-oauth.ts'

const CALLBACK_PATH = '/api/auth/google/callback'
const ATTEMPT_LIFE_MS = 10 * 60_000

export interface DriveConnectionDeps {
  db: Database
  log: Log
  secrets: SecretBox
  oauth: GoogleOAuth
  drive: Pick<DriveApi, 'findOwner'>
  access: DriveAccess
  publicUrl: string
  readSessionToken: (headers: Headers) => Promise<string | undefined>
  now: () => Date
}

interface Session {
  user: User
  headers: Headers
}

const attemptSchema = z.object({
  userId: z.number(),
  session: z.string(),
  verifier: z.string(),
  returnTo: z.string(),
  popup: z.boolean(),
})
type Attempt = z.infer<typeof attemptSchema>

/** How an attempt ended that was the caller's own. */
export interface EndedAttempt extends Pick<Attempt, 'returnTo' | 'popup'> {
  /** Why nothing was connected; undefined when it was. */
  refusal: string | undefined
}

/** Links Google Drive to the signed-in account; it is not a way to sign in. */
export function createDriveConnection({
  db,
  log,
  secrets,
  oauth,
  drive,
  access,
  publicUrl,
  readSessionToken,
  now,
}: DriveConnectionDeps) {
  const redirectUri = new URL(CALLBACK_PATH, publicUrl).href

  async function digestSession(headers: Headers): Promise<string> {
    const token = await readSessionToken(headers)
    if (token === undefined) throw new AppError('unauthenticated', 'Please log in')
    return digest(token)
  }

  /** The attempt that the state stands for, once; throws `forbidden` unless this session began it in time. */
  async function take({ state, user, headers }: Session & { state: string | undefined }): Promise<Attempt> {
    const identifier = toIdentifier(state ?? '')
    const stored = await takeOptionalAttempt(db, identifier)
    if (stored === undefined || stored.expiresAt <= now()) throw attemptEnded()
    const attempt = openAttempt({ sealed: stored.value, identifier })
    if (attempt.userId !== user.id || attempt.session !== (await digestSession(headers))) throw attemptEnded()
    return attempt
  }

  function openAttempt({ sealed, identifier }: { sealed: string; identifier: string }): Attempt {
    const text = secrets.openOptional({ sealed, context: identifier })
    if (text === undefined) throw attemptEnded()
    return attemptSchema.parse(JSON.parse(text))
  }

  /** Why these tokens are of no use, or undefined when they are stored. */
  async function accept({ userId, granted }: { userId: number; granted: GrantedTokens }) {
    const { accessToken, refreshToken, scopes = [DRIVE_SCOPE] } = granted
    if (!scopes.includes(DRIVE_SCOPE)) {
      return 'Permission to read your files was not given. Try again, and tick the box for Google Drive.'
    }
    if (refreshToken === undefined) {
      return 'Google gave access for an hour only. Remove Catenary from the apps of your Google account, then try again.'
    }
    const email = (await drive.findOwner({ accessToken })) ?? ''
    await access.store({ userId, email, granted, refreshToken })
    return undefined
  }

  async function connect({ code, attempt }: { code: string; attempt: Attempt }): Promise<string | undefined> {
    const { userId, verifier } = attempt
    let granted: GrantedTokens | undefined
    try {
      granted = await oauth.exchange({ code, verifier, redirectUri })
      const refusal = await accept({ userId, granted })
      if (refusal !== undefined) await revoke(granted.refreshToken ?? granted.accessToken)
      return refusal
    } catch (error) {
      if (granted !== undefined) await revoke(granted.refreshToken ?? granted.accessToken)
      if (error instanceof AccessRefused) return 'Google did not let Catenary read your Drive. Try again.'
      if (!(error instanceof AppError)) throw error
      if (error.code === 'conflict') return 'Google did not accept this sign-in any more. Try again.'
      log.warn({ err: error }, 'Google Drive was not connected')
      return error.message
    }
  }

  /** Best effort: the token is deleted here even if Google can’t be reached. */
  async function revoke(token: string): Promise<void> {
    await oauth
      .revoke(token)
      .catch((error: unknown) => log.warn({ err: error }, 'a Google token was not revoked'))
  }

  return {
    /** The address at Google where the person is asked; the attempt is bound to their session. */
    async start({
      user,
      headers,
      returnTo,
      popup,
    }: Session & Pick<Attempt, 'returnTo' | 'popup'>): Promise<string> {
      const state = randomBytes(32).toString('base64url')
      const verifier = randomBytes(48).toString('base64url')
      const session = await digestSession(headers)
      const attempt: Attempt = { userId: user.id, session, verifier, returnTo, popup }
      const identifier = toIdentifier(state)
      const value = secrets.seal({ text: JSON.stringify(attempt), context: identifier })
      const expiresAt = new Date(now().getTime() + ATTEMPT_LIFE_MS)
      await createAttempt(db, { identifier, value, expiresAt })
      return oauth.authorizationUrl({ state, verifier, redirectUri })
    },

    /** What Google sent the person back with. Throws `forbidden` for a state that is not this session's to use. */
    async complete({
      state,
      code,
      error,
      ...session
    }: Session & { state?: string | undefined; code?: string | undefined; error?: string | undefined }) {
      const attempt = await take({ state, ...session })
      const { returnTo, popup } = attempt
      const end = (refusal: string | undefined): EndedAttempt => ({ returnTo, popup, refusal })
      if (error === 'access_denied') return end('You did not allow Catenary to read your Google Drive.')
      if (error !== undefined || code === undefined) return end('Google did not complete the sign-in.')
      return end(await connect({ code, attempt }))
    },

    /** Deletes the tokens, and tells Google that they have no more use. */
    async disconnect(user: User): Promise<void> {
      const refreshToken = await access.forget(user.id)
      if (refreshToken !== undefined) await revoke(refreshToken)
    },
  }
}

function toIdentifier(state: string): string {
  return `google-drive/${digest(state)}`
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

function attemptEnded(): AppError {
  const message =
    'This attempt to connect Google Drive has ended, or was begun in another session. Start again from Catenary.'
  return new AppError('forbidden', message)
}
