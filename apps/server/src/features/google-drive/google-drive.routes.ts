import { googleDriveApi } from '@catenary/contracts'
import { handlers } from '../../platform/http/endpoints.ts'
import type { SendOwnPage } from '../../platform/http/own-page.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { optionalUser } from '../../platform/http/session.ts'
import type { GoogleDriveService } from './google-drive.service.ts'
import { renderPicker } from './picker-page.ts'

export interface GoogleDriveRoutesDeps {
  googleDrive: GoogleDriveService
  sendPage: SendOwnPage
}

/** The connection of the caller's Google Drive, and its files. */
export const googleDriveRoutes = ({ googleDrive, sendPage }: GoogleDriveRoutesDeps): Routes =>
  handlers(googleDriveApi, {
    'GET /api/auth/google/status': (_, { user }) => googleDrive.status(user),
    'DELETE /api/auth/google': (_, { user }) => googleDrive.disconnect(user),
    'GET /api/google-drive/files': (_, { user, query }) => googleDrive.listFiles({ ...query, user }),
    'GET /api/google-drive/picker': async (_, { request, reply }) => {
      const user = await optionalUser(request)
      const page = renderPicker({ isSignedIn: user !== null, status: await googleDrive.status(user) })
      return sendPage({ ...page, reply })
    },
  })
