import { BACKUP_DOWNLOADS_AN_HOUR, backupsApi, type User } from '@catenary/contracts'
import { AppError } from '../../errors.ts'
import { type Context, onePerApp } from '../../platform/context.ts'
import { handlers } from '../../platform/http/endpoints.ts'
import { asFile } from '../../platform/http/security/as-file.ts'
import { deletedLog } from './deleted-log.ts'
import {
  deleteCopy,
  openCopy,
  readBackups,
  resumeWork,
  takeCopyNow,
  tryCopy,
  verifyBackup,
} from './manage-copies.ts'
import { workBackups } from './nightly.ts'
import { readNotices, watchBackups } from './notices.ts'

const DAY_SECONDS = 86_400
const HOUR_MS = 3_600_000

/** Before anything is deleted and jobs are started: follows deletions, and registers what is done with copies. */
export function beginBackups(ctx: Context): void {
  const { bringUp } = deletedLog(ctx)
  ctx.jobs.queue('deleted-log').work({ repeatSeconds: DAY_SECONDS, atStart: 'daily', handle: bringUp })
  workBackups(ctx)
  watchBackups(ctx)
}

/** Also writes down deletions that another process, or this one before it was killed, did not get to. */
export const noteDeletions = (ctx: Context): void => void deletedLog(ctx).bringUp()

export const deletionsNoted = (ctx: Context): Promise<void> => deletedLog(ctx).settled()

const downloads = onePerApp(({ windows }) => windows({ name: 'downloads' }))

export const serveBackups = handlers(backupsApi, {
  'GET /api/admin/backups': readBackups,
  'POST /api/admin/backups': takeCopyNow,
  'POST /api/admin/backups/{id}/drill': (ctx, { params }) => tryCopy(ctx, params.id),
  'POST /api/admin/backups/{id}/verify': (ctx, { params }) => verifyBackup(ctx, params.id),
  'DELETE /api/admin/backups/{id}': (ctx, { params }) => deleteCopy(ctx, params.id),
  'GET /api/admin/backups/{id}/file': async (ctx, { params, user, reply }) => {
    await countDownload(ctx, user)
    const { name, bytes, content } = await openCopy(ctx, { ...params, user })
    const file = asFile(reply, { name, type: 'application/octet-stream' })
    return file.header('content-length', bytes).send(content)
  },
  'GET /api/admin/notices': readNotices,
  'POST /api/admin/resume-work': resumeWork,
})

async function countDownload(ctx: Context, { id }: User): Promise<void> {
  const limit = BACKUP_DOWNLOADS_AN_HOUR
  const { current, ttl } = await downloads(ctx).add({ key: id, windowMs: HOUR_MS, limit })
  if (current <= limit) return
  const message = `You can download ${limit} copies an hour. Try again later.`
  throw new AppError('too_many', message, { retryAfter: Math.ceil(ttl / 1_000) })
}
