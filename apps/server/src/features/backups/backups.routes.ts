import { BACKUP_DOWNLOADS_AN_HOUR, backupsApi, type User } from '@catenary/contracts'
import { AppError } from '../../errors.ts'
import { handlers } from '../../platform/http/endpoints.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { asFile } from '../../platform/http/security/as-file.ts'
import type { CreateWindows } from '../../platform/limits/windows.ts'
import type { BackupsService } from './backups.service.ts'

const HOUR_MS = 3_600_000

interface BackupsEdge {
  backups: BackupsService
  windows: CreateWindows
}

export function backupsRoutes({ backups, windows }: BackupsEdge): Routes {
  const downloads = windows({ name: 'downloads' })
  return handlers(backupsApi, {
    'GET /api/admin/backups': () => backups.read(),
    'POST /api/admin/backups': (_, { user }) => backups.takeNow(user),
    'POST /api/admin/backups/{id}/drill': (_, { params }) => backups.drill(params.id),
    'POST /api/admin/backups/{id}/verify': (_, { params }) => backups.verify(params.id),
    'DELETE /api/admin/backups/{id}': (_, { params, user }) => backups.delete({ ...params, user }),
    'GET /api/admin/backups/{id}/file': async (_, { params, user, reply }) => {
      await countDownload(downloads, user)
      const { name, bytes, content } = await backups.open({ ...params, user })
      const file = asFile(reply, { name, type: 'application/octet-stream' })
      return file.header('content-length', bytes).send(content)
    },
    'GET /api/admin/notices': () => backups.notices(),
    'POST /api/admin/resume-work': (_, { user }) => backups.resumeWork(user),
  })
}

async function countDownload(downloads: ReturnType<CreateWindows>, { id }: User): Promise<void> {
  const limit = BACKUP_DOWNLOADS_AN_HOUR
  const { current, ttl } = await downloads.add({ key: id, windowMs: HOUR_MS, limit })
  if (current <= limit) return
  const message = `One person may download ${limit} copies an hour, and that many were. Try again later.`
  throw new AppError('too_many', message, { retryAfter: Math.ceil(ttl / 1_000) })
}
