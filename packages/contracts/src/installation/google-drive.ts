import * as z from 'zod'
import { errorReply, noContent } from '../common.ts'
import { defineApi } from '../endpoint.ts'

export const DRIVE_SEARCH_MAX = 200

export const DRIVE_CONNECTED_MESSAGE = 'google-drive-connected'

/** A path of our own pages, which no browser reads as another site's address. */
const ownPath = z
  .string()
  .max(2000)
  .regex(/^\/(?![/\\])[^\\\p{Cc}]*$/u, 'Must be a path on this site')

const connectDriveQuery = z.strictObject({
  returnTo: ownPath.default('/variables').describe('Path on this site to return to.'),
  popup: z
    .enum(['0', '1'])
    .default('0')
    .describe('1: opened in a window that reports to its opener and closes.'),
})

/** Google adds fields of its own. */
const connectDriveCallbackQuery = z.object({
  state: z.string().max(500).optional().describe('State sent to Google; valid once.'),
  code: z.string().max(4000).optional().describe('Code to exchange for tokens.'),
  error: z.string().max(500).optional().describe('Google’s error when there is no code.'),
})

export const driveStatus = z.object({
  authenticated: z.boolean().describe('The caller has connected Google Drive.'),
  configured: z.boolean().describe('An admin has set GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET.'),
  email: z
    .string()
    .nullable()
    .describe('Email address of the connected Google account; null: not connected.'),
})
export type DriveStatus = z.infer<typeof driveStatus>

const driveFilesQuery = z.strictObject({
  search: z.string().trim().max(DRIVE_SEARCH_MAX).default('').describe('Words to look for in the name.'),
  pageToken: z.string().min(1).max(4000).optional().describe('`nextPageToken` of the previous page.'),
})
export type DriveFilesQuery = z.infer<typeof driveFilesQuery>

export const pickedDriveFile = z.object({
  id: z.string().describe("Google's id of the file."),
  name: z.string().describe('Name shown in Google Drive.'),
  mimeType: z.string().describe('Media type; Google’s own documents have special ones.'),
})

const driveFile = pickedDriveFile.extend({
  modifiedAt: z.string().nullable().describe('ISO 8601, UTC.'),
})

const driveFileList = z.object({
  files: z.array(driveFile).describe('Files that contain text, newest first.'),
  nextPageToken: z.string().nullable().describe('Null on the last page.'),
})
export type DriveFileList = z.infer<typeof driveFileList>

const driveProblem = z.object({
  googleDrive: z
    .enum(['not_configured', 'not_connected'])
    .describe('not_configured: an admin must set it up; not_connected: the file’s owner must connect it.'),
})
export type DriveProblem = z.infer<typeof driveProblem>

const html = z.string().describe('HTML.')

export const driveConnectionApi = defineApi('google drive', {
  'GET /api/auth/google': {
    who: 'guest',
    summary: 'Connect Google Drive to your account',
    description:
      'A navigation, allowed only from Catenary’s own pages. 401 for a guest, 409 if an admin has not set up Google; both are pages.',
    query: connectDriveQuery,
    sends: { 302: noContent, 401: html, 409: html },
    crossSiteCheck: true,
  },
  'GET /api/auth/google/callback': {
    who: 'guest',
    summary: 'Where Google redirects to after sign-in',
    description:
      'Returns to where the person came from; a popup tells its opener and closes. 400 if nothing was connected, 403 for a `state` that belongs to another session or was already used; all are pages.',
    query: connectDriveCallbackQuery,
    sends: { 200: html, 302: noContent, 400: z.union([html, errorReply]), 401: html, 403: html },
    activity: { kind: 'google_drive.connected', object: 'account' },
  },
})

export const googleDriveApi = defineApi('google drive', {
  'GET /api/auth/google/status': {
    who: 'guest',
    summary: 'Whether the caller has connected Google Drive',
    reply: driveStatus,
  },
  'DELETE /api/auth/google': {
    who: 'user',
    summary: 'Disconnect Google Drive',
    description: 'Deletes the tokens and revokes them at Google, if Google can be reached.',
    activity: { kind: 'google_drive.disconnected', object: 'account' },
  },
  'GET /api/google-drive/files': {
    who: 'user',
    summary: 'The text files of the caller’s Google Drive',
    description: '409 where Google Drive is not set up or not connected; `details` says which.',
    query: driveFilesQuery,
    reply: driveFileList,
    errors: [401, 409, 502],
    reads: 'none',
  },
  'GET /api/google-drive/picker': {
    who: 'guest',
    summary: 'A page to pick a file',
    description: 'Posts `{id, name, mimeType}` to the same-origin window that opened it, then closes.',
    sends: { 200: html },
  },
})
