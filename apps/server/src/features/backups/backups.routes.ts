import { adminNotices, backupsState, idParams, noContent, verifiedBackup } from '@catenary/contracts'
import * as z from 'zod'
import { AppError } from '../../errors.ts'
import { defineDeleteRoute } from '../../platform/http/delete-route.ts'
import { errorReplies } from '../../platform/http/errors/error-replies.ts'
import type { HttpApp, Routes } from '../../platform/http/routes.ts'
import { adminOnly } from '../../platform/http/security/admin-only.ts'
import { asFile } from '../../platform/http/security/as-file.ts'
import { requireAdmin } from '../../platform/http/session.ts'
import type { CreateWindows } from '../../platform/limits/windows.ts'
import type { BackupsService } from './backups.service.ts'

const PATH = '/api/admin/backups'
const tags = ['admin']
const response = { 200: backupsState, ...errorReplies(401, 403, 404, 409) }
const HOUR_MS = 3_600_000
const DOWNLOADS_AN_HOUR = 10

interface BackupsEdge {
  backups: BackupsService
  windows: CreateWindows
}

export function backupsRoutes({ backups, ...deps }: BackupsEdge): Routes {
  return (app, { limitStreams }) => {
    copyRoutes(app, backups)
    noticeRoutes(app, backups)
    const windows = deps.windows({ name: 'downloads' })

    app.get(
      `${PATH}/:id/file`,
      {
        ...adminOnly,
        config: { crossSiteCheck: true },
        onRequest: limitStreams,
        schema: {
          tags,
          summary: 'A copy of the whole database, as a file',
          description: `It holds everyone’s texts and results; each download is noted. At most ${DOWNLOADS_AN_HOUR} an hour.`,
          params: idParams,
          response: {
            200: z.string().describe('The file, as `catenary restore` takes it.'),
            ...errorReplies(401, 403, 404, 429),
          },
        },
      },
      async (request, reply) => {
        const user = await requireAdmin(request)
        const { current, ttl } = await windows.add({
          key: user.id,
          windowMs: HOUR_MS,
          limit: DOWNLOADS_AN_HOUR,
        })
        if (current > DOWNLOADS_AN_HOUR) {
          const message = `One person may download ${DOWNLOADS_AN_HOUR} copies an hour, and that many were. Try again later.`
          throw new AppError('too_many', message, { retryAfter: Math.ceil(ttl / 1_000) })
        }
        const { name, bytes, content } = await backups.open({ id: request.params.id, user })
        return asFile(reply, { name, type: 'application/octet-stream' })
          .header('content-length', bytes)
          .header('cache-control', 'no-store')
          .send(content as never)
      },
    )
  }
}

function copyRoutes(app: HttpApp, backups: BackupsService): void {
  app.get(
    PATH,
    {
      ...adminOnly,
      schema: { tags, summary: 'The kept copies, and where and when they are made', response },
    },
    () => backups.read(),
  )

  app.post(
    PATH,
    {
      ...adminOnly,
      schema: { tags, summary: 'Make a copy now', description: 'It goes on by itself.', response },
    },
    async (request) => backups.takeNow(await requireAdmin(request)),
  )

  app.post(
    `${PATH}/:id/drill`,
    {
      ...adminOnly,
      schema: {
        tags,
        summary: 'Restore a copy on trial',
        description: 'In a process of its own, which reaches nobody; it goes on by itself.',
        params: idParams,
        response,
      },
    },
    (request) => backups.drill(request.params.id),
  )

  app.post(
    `${PATH}/:id/verify`,
    {
      ...adminOnly,
      schema: {
        tags,
        summary: 'Read all of a copy and compare its checksums',
        params: idParams,
        response: { 200: verifiedBackup, ...errorReplies(401, 403, 404, 409) },
      },
    },
    (request) => backups.verify(request.params.id),
  )

  defineDeleteRoute(app, `${PATH}/:id`, {
    tags,
    summary: 'Delete a copy',
    params: idParams,
    errors: errorReplies(401, 403, 404, 409),
    isAdminOnly: true,
    remove: async (call) => backups.delete({ id: call.params.id, user: await requireAdmin(call) }),
  })
}

function noticeRoutes(app: HttpApp, backups: BackupsService): void {
  app.get(
    '/api/admin/notices',
    {
      ...adminOnly,
      schema: {
        tags,
        summary: 'What stands above every page of an administrator',
        response: { 200: adminNotices, ...errorReplies(401, 403) },
      },
    },
    () => backups.notices(),
  )

  app.post(
    '/api/admin/resume-work',
    {
      ...adminOnly,
      schema: {
        tags,
        summary: 'Let a restored copy do its work',
        description: 'Schedules, mails, jobs and runs go on, and models are called, from the next start on.',
        response: { 204: noContent, ...errorReplies(401, 403, 409) },
      },
    },
    async (request, reply) => {
      await backups.resumeWork(await requireAdmin(request))
      return reply.code(204).send()
    },
  )
}
