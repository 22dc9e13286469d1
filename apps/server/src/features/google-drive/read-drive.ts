import type {
  DriveFileList,
  DriveFilesQuery,
  DriveStatus,
  SystemCheckResult,
  User,
} from '@catenary/contracts'
import { AppError } from '../../errors.ts'
import type { Context } from '../../platform/context.ts'
import { findOptionalEmail, google, requireGoogle, withToken } from './drive-access.ts'
import { AccessRefused } from './drive-api.ts'
import { googleFailed } from './drive-errors.ts'

const READ_TIMEOUT_MS = 10_000

export async function findDriveStatus(ctx: Context, user: User | null): Promise<DriveStatus> {
  const isSetUp = google(ctx) !== undefined
  const email = user === null || !isSetUp ? undefined : await findOptionalEmail(ctx, user.id)
  return { authenticated: email !== undefined, configured: isSetUp, email: email ?? null }
}

export async function listDriveFiles(
  ctx: Context,
  { user, query }: { user: User; query: DriveFilesQuery },
): Promise<DriveFileList> {
  const { drive } = requireGoogle(ctx)
  return withToken(ctx, { userId: user.id, use: (accessToken) => drive.list({ ...query, accessToken }) })
}

/**
 * The file's text, read as its owner: at most 1 MiB of UTF-8. Throws `conflict` when Google Drive has to be
 * connected first, `invalid`, `not_found`, `forbidden` or `too_large` for the file, `upstream` for Google's faults.
 */
export async function readDriveFile(
  ctx: Context,
  { ownerId, fileId, signal }: { ownerId: number; fileId: string; signal: AbortSignal },
): Promise<{ text: string; name: string }> {
  const { drive } = requireGoogle(ctx)
  const timeout = AbortSignal.timeout(READ_TIMEOUT_MS)
  const either = AbortSignal.any([signal, timeout])
  try {
    const use = (accessToken: string) => drive.read({ fileId, accessToken, signal: either })
    return await withToken(ctx, { userId: ownerId, use })
  } catch (error) {
    signal.throwIfAborted()
    if (error !== timeout.reason) throw error
    throw googleFailed(`Google did not answer within ${READ_TIMEOUT_MS / 1000} s`, error)
  }
}

export async function checkGoogleDrive(ctx: Context): Promise<Pick<SystemCheckResult, 'status' | 'message'>> {
  const wires = google(ctx)
  if (wires === undefined) {
    return { status: 'off', message: 'Not set up: GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET are not set' }
  }
  const { oauth, drive } = wires
  try {
    await refused(oauth.refresh('none'), (error) => error instanceof AppError && error.code === 'conflict')
    await refused(drive.findOwner({ accessToken: 'none' }), (error) => error instanceof AccessRefused)
    return { status: 'ok', message: 'Google knows this installation, and its Drive answers' }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { status: 'failed', message: error.message }
  }
}

/** No account has the token `none`: refusing only the token shows that the rest of the setup works. */
async function refused(answer: Promise<unknown>, isExpected: (error: unknown) => boolean): Promise<void> {
  await answer.then(
    () => {
      throw googleFailed('Google accepted a token that it never issued')
    },
    (error: unknown) => {
      if (!isExpected(error)) throw error
    },
  )
}
