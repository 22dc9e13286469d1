import { driveFileList, driveFilesQuery, driveStatus } from '@catenary/contracts'
import * as z from 'zod'
import { defineDeleteRoute } from '../../platform/http/delete-route.ts'
import { errorReplies } from '../../platform/http/errors/error-replies.ts'
import type { SendOwnPage } from '../../platform/http/own-page.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { optionalUser, requireUser } from '../../platform/http/session.ts'
import type { GoogleDriveService } from './google-drive.service.ts'
import { PICKER_PATH, renderPicker } from './picker-page.ts'

const tags = ['google drive']

export interface GoogleDriveRoutesDeps {
  googleDrive: GoogleDriveService
  sendPage: SendOwnPage
}

/** The connection of the caller's Google Drive, and its files. */
export function googleDriveRoutes({ googleDrive, sendPage }: GoogleDriveRoutesDeps): Routes {
  return (app) => {
    app.get(
      '/api/auth/google/status',
      {
        schema: {
          tags,
          summary: 'Whether the caller has connected Google Drive',
          response: { 200: driveStatus },
        },
      },
      async (request) => googleDrive.status(await optionalUser(request)),
    )

    defineDeleteRoute(app, '/api/auth/google', {
      tags,
      summary: 'Disconnect Google Drive',
      description: 'Deletes the tokens and revokes them at Google, as far as it can be reached.',
      remove: async (call) => googleDrive.disconnect(await requireUser(call)),
    })

    app.get(
      '/api/google-drive/files',
      {
        config: { readLimit: 'none' },
        schema: {
          tags,
          summary: 'The text files of the caller’s Google Drive',
          description: '409 where Google Drive is not set up or not connected; `details` says which.',
          querystring: driveFilesQuery,
          response: { 200: driveFileList, ...errorReplies(401, 409, 502) },
        },
      },
      async (request) => googleDrive.listFiles({ ...request.query, user: await requireUser(request) }),
    )

    app.get(
      PICKER_PATH,
      {
        schema: {
          tags,
          summary: 'A page to pick a file',
          description:
            'Posts `{id, name, mimeType}` to the window of the same origin that opened it, and closes.',
          response: { 200: z.string().describe('HTML.') },
        },
      },
      async (request, reply) => {
        const user = await optionalUser(request)
        const page = renderPicker({ isSignedIn: user !== null, status: await googleDrive.status(user) })
        return sendPage({ ...page, reply })
      },
    )
  }
}
