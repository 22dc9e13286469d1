import { addressOf, type User } from '@catenary/contracts'
import { AppError } from '../../errors.ts'
import type { Context } from '../../platform/context.ts'
import { endConnection, forgetConnection, google, requireGoogle, storeConnection } from './drive-access.ts'
import { AccessRefused } from './drive-api.ts'
import {
  type Attempt,
  beginAttempt,
  type Session,
  takeAttempt,
  type WantedAttempt,
} from './drive-attempts.ts'
import { DRIVE_SCOPE, type GrantedTokens } from './google-oauth.ts'

export interface EndedAttempt extends Pick<Attempt, 'returnTo' | 'popup'> {
  refusal: string | undefined
}

const redirectUriOf = ({ settings: { publicUrl } }: Context): string =>
  new URL(addressOf('GET /api/auth/google/callback', {}), publicUrl).href

/**
 * The address at Google where the person is asked; the attempt is bound to their session. It links Google Drive to the
 * signed-in account, and is not a way to sign in.
 */
export async function startConnecting(ctx: Context, wanted: WantedAttempt): Promise<string> {
  const { oauth } = requireGoogle(ctx)
  return oauth.authorizationUrl({ ...(await beginAttempt(ctx, wanted)), redirectUri: redirectUriOf(ctx) })
}

interface Return extends Session {
  state?: string | undefined
  code?: string | undefined
  error?: string | undefined
}

/** What Google sent the person back with. Throws `forbidden` for a state that is not this session's to use. */
export async function finishConnecting(
  ctx: Context,
  { state, code, error, ...session }: Return,
): Promise<EndedAttempt> {
  requireGoogle(ctx)
  const attempt = await takeAttempt(ctx, { state, ...session })
  const { returnTo, popup } = attempt
  const end = (refusal: string | undefined): EndedAttempt => ({ returnTo, popup, refusal })
  if (error === 'access_denied') return end('You did not allow Catenary to read your Google Drive.')
  if (error !== undefined || code === undefined) return end('Google did not complete the sign-in.')
  return end(await connect(ctx, { code, attempt }))
}

async function connect(
  ctx: Context,
  { code, attempt }: { code: string; attempt: Attempt },
): Promise<string | undefined> {
  const { userId, verifier } = attempt
  let granted: GrantedTokens | undefined
  try {
    granted = await requireGoogle(ctx).oauth.exchange({ code, verifier, redirectUri: redirectUriOf(ctx) })
    const refusal = await accept(ctx, { userId, granted })
    if (refusal !== undefined) await revoke(ctx, granted.refreshToken ?? granted.accessToken)
    return refusal
  } catch (error) {
    if (granted !== undefined) await revoke(ctx, granted.refreshToken ?? granted.accessToken)
    if (error instanceof AccessRefused) return 'Google did not let Catenary read your Drive. Try again.'
    if (!(error instanceof AppError)) throw error
    if (error.code === 'conflict') return 'Google no longer accepts this sign-in. Try again.'
    ctx.log.warn({ err: error }, 'Google Drive was not connected')
    return error.message
  }
}

async function accept(ctx: Context, { userId, granted }: { userId: number; granted: GrantedTokens }) {
  const { accessToken, refreshToken, scopes = [DRIVE_SCOPE] } = granted
  if (!scopes.includes(DRIVE_SCOPE)) {
    return 'You did not give permission to read your files. Try again, and tick the box for Google Drive.'
  }
  if (refreshToken === undefined) {
    return 'Google gave access for only an hour. Remove Catenary from the apps of your Google account, then try again.'
  }
  const email = (await requireGoogle(ctx).drive.findOwner({ accessToken })) ?? ''
  await storeConnection(ctx, { userId, email, granted, refreshToken })
  return undefined
}

/** Best effort: the token is deleted here even if Google can’t be reached. */
async function revoke(ctx: Context, token: string): Promise<void> {
  await requireGoogle(ctx)
    .oauth.revoke(token)
    .catch((error: unknown) => ctx.log.warn({ err: error }, 'a Google token was not revoked'))
}

/** Tells Google, too. Also works where nothing is connected, or Google is no longer set up. */
export async function disconnect(ctx: Context, { user }: { user: User }): Promise<void> {
  if (google(ctx) === undefined) {
    await endConnection(ctx, { userId: user.id, kind: 'google_drive.disconnected' })
    return
  }
  const refreshToken = await forgetConnection(ctx, user.id)
  if (refreshToken !== undefined) await revoke(ctx, refreshToken)
}
