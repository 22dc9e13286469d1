import { createHash, randomBytes } from 'node:crypto'
import type { User } from '@catenary/contracts'
import * as z from 'zod'
import { AppError } from '../../errors.ts'
import type { Context } from '../../platform/context.ts'
import { readSessionToken } from '../accounts/accounts.ts'
import { createAttempt, takeOptionalAttempt } from './google-drive.sql.ts'

const ATTEMPT_LIFE_MS = 10 * 60_000

export interface Session {
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
export type Attempt = z.infer<typeof attemptSchema>

export type WantedAttempt = Session & Pick<Attempt, 'returnTo' | 'popup'>

export async function beginAttempt(
  ctx: Context,
  { user, headers, returnTo, popup }: WantedAttempt,
): Promise<{ state: string; verifier: string }> {
  const { db, secrets, now } = ctx
  const state = randomBytes(32).toString('base64url')
  const verifier = randomBytes(48).toString('base64url')
  const session = await digestSession(ctx, headers)
  const attempt: Attempt = { userId: user.id, session, verifier, returnTo, popup }
  const identifier = toIdentifier(state)
  const value = secrets.seal({ text: JSON.stringify(attempt), context: identifier })
  const expiresAt = new Date(now().getTime() + ATTEMPT_LIFE_MS)
  await createAttempt(db, { identifier, value, expiresAt })
  return { state, verifier }
}

/** The attempt that the state stands for, once; throws `forbidden` unless this session began it in time. */
export async function takeAttempt(
  ctx: Context,
  { state, user, headers }: Session & { state: string | undefined },
): Promise<Attempt> {
  const { db, secrets, now } = ctx
  const identifier = toIdentifier(state ?? '')
  const stored = await takeOptionalAttempt(db, identifier)
  if (stored === undefined || stored.expiresAt <= now()) throw attemptEnded()
  const text = secrets.openOptional({ sealed: stored.value, context: identifier })
  if (text === undefined) throw attemptEnded()
  const attempt = attemptSchema.parse(JSON.parse(text))
  const isOwn = attempt.userId === user.id && attempt.session === (await digestSession(ctx, headers))
  if (!isOwn) throw attemptEnded()
  return attempt
}

async function digestSession(ctx: Context, headers: Headers): Promise<string> {
  const token = await readSessionToken(ctx, headers)
  if (token === undefined) throw new AppError('unauthenticated', 'Please log in')
  return digest(token)
}

function toIdentifier(state: string): string {
  return `google-drive/${digest(state)}`
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

function attemptEnded(): AppError {
  const message =
    'This attempt to connect Google Drive has expired or was started in another session. Start again from Catenary.'
  return new AppError('forbidden', message)
}
