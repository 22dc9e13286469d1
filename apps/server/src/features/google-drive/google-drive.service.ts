import type {
  DriveFileList,
  DriveFilesQuery,
  DriveStatus,
  SystemCheckResult,
  User,
} from '@catenary/contracts'
import { AppError } from '../../errors.ts'
import type { ServiceClient } from '../../platform/outbound/service-client.ts'
import { createDriveAccess } from './drive-access.service.ts'
import { AccessRefused, createDriveApi } from './drive-api.ts'
import {
  createDriveConnection,
  type DriveConnectionDeps,
  type EndedAttempt,
} from './drive-connection.service.ts'
import { googleFailed, notConfigured } from './drive-errors.ts'
import { createCallGoogle, type GoogleSettings } from './google-client.ts'
import { deleteConnection } from './google-drive.repository.ts'
import { createGoogleOAuth } from './google-oauth.ts'

/** For a file, with all calls that it takes. */
const READ_TIMEOUT_MS = 10_000

export type GoogleDriveService = ReturnType<typeof createGoogleDriveService>

export interface GoogleDriveDeps extends Omit<DriveConnectionDeps, 'oauth' | 'drive' | 'access'> {
  /** Undefined: an admin has not set Google up. */
  google: GoogleSettings | undefined
  client: Pick<ServiceClient, 'call'>
}

/** Google Drive of the people who connected theirs (D26). */
export function createGoogleDriveService({ google, client, ...deps }: GoogleDriveDeps) {
  const parts = google === undefined ? undefined : createParts({ google, client, ...deps })

  function requireParts() {
    if (parts === undefined) throw notConfigured()
    return parts
  }

  return {
    async status(user: User | null): Promise<DriveStatus> {
      const email = user === null ? undefined : await parts?.access.findOptionalEmail(user.id)
      return { authenticated: email !== undefined, configured: parts !== undefined, email: email ?? null }
    },

    /** The address at Google where the person is asked. */
    startConnecting: async (attempt: Parameters<Parts['connection']['start']>[0]): Promise<string> =>
      requireParts().connection.start(attempt),

    /** Takes what Google sent the person back with. */
    finishConnecting: async (reply: Parameters<Parts['connection']['complete']>[0]): Promise<EndedAttempt> =>
      requireParts().connection.complete(reply),

    /** Also where there is nothing to disconnect, and where Google is no longer set up. */
    async disconnect(user: User): Promise<void> {
      if (parts !== undefined) return parts.connection.disconnect(user)
      await deleteConnection(deps.db, { userId: user.id, action: 'google_drive.disconnected' })
    },

    /** A page of the person's files that hold text. */
    async listFiles({ user, ...query }: DriveFilesQuery & { user: User }): Promise<DriveFileList> {
      const { access, drive } = requireParts()
      return access.withToken({
        userId: user.id,
        use: (accessToken) => drive.list({ ...query, accessToken }),
      })
    },

    /**
     * The file's text, read as its owner: at most 1 MiB of UTF-8. Throws `conflict` when Google Drive has to be
     * connected first, `invalid`, `not_found`, `forbidden` or `too_large` for the file, `upstream` for Google's faults.
     */
    async readDriveFile({
      ownerId,
      fileId,
      signal,
    }: {
      ownerId: number
      fileId: string
      signal: AbortSignal
    }): Promise<{ text: string; name: string }> {
      const { access, drive } = requireParts()
      const timeout = AbortSignal.timeout(READ_TIMEOUT_MS)
      const either = AbortSignal.any([signal, timeout])
      try {
        const use = (accessToken: string) => drive.read({ fileId, accessToken, signal: either })
        return await access.withToken({ userId: ownerId, use })
      } catch (error) {
        signal.throwIfAborted()
        if (error !== timeout.reason) throw error
        throw googleFailed(`Google did not answer within ${READ_TIMEOUT_MS / 1000} s`, error)
      }
    },

    /** Whether Google takes this installation's id and secret, and its Drive answers. */
    async check(): Promise<Pick<SystemCheckResult, 'status' | 'message'>> {
      if (parts === undefined) {
        return { status: 'off', message: 'Not set up: GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET are not set' }
      }
      try {
        await refused(
          parts.oauth.refresh('none'),
          (error) => error instanceof AppError && error.code === 'conflict',
        )
        await refused(
          parts.drive.findOwner({ accessToken: 'none' }),
          (error) => error instanceof AccessRefused,
        )
        return { status: 'ok', message: 'Google knows this installation, and its Drive answers' }
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        return { status: 'failed', message: error.message }
      }
    },
  }
}

type Parts = ReturnType<typeof createParts>

function createParts({ google, client, ...deps }: GoogleDriveDeps & { google: GoogleSettings }) {
  const call = createCallGoogle(client)
  const oauth = createGoogleOAuth({ google, call })
  const drive = createDriveApi({ google, call })
  const access = createDriveAccess({ ...deps, oauth })
  const connection = createDriveConnection({ ...deps, oauth, drive, access })
  return { oauth, drive, access, connection }
}

/** No account has the token `none`: refusing only the token shows that the rest of the setup works. */
async function refused(answer: Promise<unknown>, isExpected: (error: unknown) => boolean): Promise<void> {
  await answer.then(
    () => {
      throw googleFailed('Google took a token that it never gave')
    },
    (error: unknown) => {
      if (!isExpected(error)) throw error
    },
  )
}
