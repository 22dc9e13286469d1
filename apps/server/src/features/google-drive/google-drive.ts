import type { Database } from '../../db/executor.ts'
import { type Context, slot } from '../../platform/context.ts'
import { readSessionToken } from '../accounts/accounts.ts'
import { driveConnectionRoutes } from './drive-connection.routes.ts'
import { googleDriveRoutes } from './google-drive.routes.ts'
import { createGoogleDriveService } from './google-drive.service.ts'

export { sealedDriveTokens } from './sealed-tokens.repository.ts'
export type GoogleDriveService = ReturnType<typeof createGoogleDrive>['service']
interface DriveReader {
  readDriveFile: (file: { ownerId: number; fileId: string; signal: AbortSignal }) => Promise<{ text: string }>
}

export const googleDriveSlot = slot<DriveReader>()

/** Files of the Google Drive that a person connected. */
export function createGoogleDrive(platform: Context<Database>) {
  const { sendPage, serviceClient, settings } = platform
  const googleDrive = createGoogleDriveService({
    ...platform,
    google: settings.google,
    publicUrl: settings.publicUrl,
    client: serviceClient,
    readSessionToken: (headers) => readSessionToken(platform, headers),
  })
  const { readDriveFile, check } = googleDrive
  return {
    service: { readDriveFile, check },
    routes: [googleDriveRoutes({ googleDrive, sendPage }), driveConnectionRoutes({ googleDrive, sendPage })],
  }
}
