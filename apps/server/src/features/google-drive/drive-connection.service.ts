import { addressOf, type User } from '@catenary/contracts'
import { AppError } from '../../errors.ts'
import type { Log } from '../../platform/log/log.ts'
import type { DriveAccess } from './drive-access.service.ts'
import { AccessRefused, type DriveApi } from './drive-api.ts'
import {
  type Attempt,
  beginAttempt,
  type DriveAttemptsDeps,
  type Session,
  takeAttempt,
  type WantedAttempt,
} from './drive-attempts.service.ts'
import { DRIVE_SCOPE, type GoogleOAuth, type GrantedTokens } from './google-oauth.ts'

export interface DriveConnectionDeps extends DriveAttemptsDeps {
  log: Log
  oauth: GoogleOAuth
  drive: Pick<DriveApi, 'findOwner'>
  access: DriveAccess
  publicUrl: string
}

/** How the caller's own attempt ended. */
export interface EndedAttempt extends Pick<Attempt, 'returnTo' | 'popup'> {
  /** Why nothing was connected; undefined when it was. */
  refusal: string | undefined
}

/** Links Google Drive to the signed-in account; it is not a way to sign in. */
export function createDriveConnection(deps: DriveConnectionDeps) {
  const { log, oauth, drive, access, publicUrl } = deps
  const redirectUri = new URL(addressOf('GET /api/auth/google/callback', {}), publicUrl).href

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
    async start(wanted: WantedAttempt): Promise<string> {
      return oauth.authorizationUrl({ ...(await beginAttempt(deps, wanted)), redirectUri })
    },

    /** What Google sent the person back with. Throws `forbidden` for a state that is not this session's to use. */
    async complete({
      state,
      code,
      error,
      ...session
    }: Session & { state?: string | undefined; code?: string | undefined; error?: string | undefined }) {
      const attempt = await takeAttempt(deps, { state, ...session })
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
