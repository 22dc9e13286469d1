import type { Platform } from '../../platform/platform.ts'
import type { AccountsService } from '../accounts/accounts.ts'
import { driveConnectionRoutes } from './drive-connection.routes.ts'
import { googleDriveRoutes } from './google-drive.routes.ts'
import { createGoogleDriveService } from './google-drive.service.ts'

export { sealedDriveTokens } from './sealed-tokens.repository.ts'
export type GoogleDriveService = ReturnType<typeof createGoogleDrive>['service']

interface Features {
  accounts: Pick<AccountsService, 'readSessionToken'>
}

/** Files of the Google Drive that a person connected. */
export function createGoogleDrive(platform: Platform, { accounts }: Features) {
  const { sendPage, serviceClient, settings } = platform
  const googleDrive = createGoogleDriveService({
    ...platform,
    google: settings.google,
    publicUrl: settings.publicUrl,
    client: serviceClient,
    readSessionToken: accounts.readSessionToken,
  })
  const { readDriveFile, check } = googleDrive
  return {
    service: { readDriveFile, check },
    routes: [googleDriveRoutes({ googleDrive, sendPage }), driveConnectionRoutes({ googleDrive, sendPage })],
  }
}
