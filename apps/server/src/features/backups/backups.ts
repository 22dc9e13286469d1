import { freemem } from 'node:os'
import type { Database } from '../../db/executor.ts'
import type { Context } from '../../platform/context.ts'
import type { Platform } from '../../platform/platform.ts'
import { listActiveAdmins } from '../accounts/accounts.ts'
import { queueMail } from '../mails/mails.ts'
import { backupsRoutes } from './backups.routes.ts'
import { createBackupsService } from './backups.service.ts'
import type { BackupsDeps, BackupTask } from './backups-deps.ts'
import { createDeletedLog } from './deleted-log.ts'
import { drillBackup } from './drill-copy.ts'
import { beginDailyCopy, beginMissedDrill, listForeignCopies } from './nightly.ts'
import { takeCopy } from './take-copy.ts'

export type { DrillLine } from './drill-process.ts'

const MINUTE_SECONDS = 60
const DAY_SECONDS = 86_400
const COPY_KEY = 'copy'
const DRILL_KEY = 'drill'

/**
 * Copies of the whole database: made each night in one of all processes, kept for a time, restored on trial; and what
 * was deleted since, which no copy may bring back.
 */
export function createBackups(platform: Context<Database>) {
  const { jobs, metrics, settings } = platform
  const tasks = jobs.queue<BackupTask>('backup')
  const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const deletedLog = createDeletedLog(platform)
  const deps: BackupsDeps = {
    ...platform,
    deletedLog,
    accounts: { listActiveAdmins: () => listActiveAdmins(platform) },
    mails: {
      isSetUp: platform.mail.isSetUp,
      queue: (tx, mail) => queueMail({ ...platform, db: tx }, mail),
    },
    timeZone,
    freeMemory: readFreeMemory,
    send: (executor, task) => tasks.send(executor, { key: task.what, payload: task }),
    findUnderWay: async () => {
      // The job that made the copy is in it.
      if (platform.isQuiet) return null
      if (await tasks.has(platform.db, COPY_KEY)) return 'copy'
      return (await tasks.has(platform.db, DRILL_KEY)) ? 'drill' : null
    },
  }
  jobs.queue('deleted-log').work({ repeatSeconds: DAY_SECONDS, atStart: 'daily', handle: deletedLog.bringUp })
  const { directory } = settings.backups
  if (directory !== undefined) work({ deps, jobs, tasks, directory })
  const backups = createBackupsService(deps)
  metrics?.watch({
    gauges: {
      backup_proven_age_seconds:
        'Since the newest backup was made that was restored on trial, or since the first account without one; absent where none is made by itself.',
      backup_failing: 'The last backup failed.',
      backup_drill_failing: 'Restoring the last backup on trial failed.',
    },
    read: async () => {
      const failing = (await backups.notices()).backup?.what
      return {
        backup_proven_age_seconds: await backups.readProvenAge(),
        backup_failing: Number(failing === 'copy'),
        backup_drill_failing: Number(failing === 'drill'),
      }
    },
  })
  return {
    service: { deletionsNoted: deletedLog.settled },
    routes: [backupsRoutes({ backups, windows: platform.windows })],
    // Also what another process, or this one before it was killed, did not come to.
    start: async () => void deletedLog.bringUp(),
    close: deletedLog.settled,
  }
}

/** Of the machine, and of what a container leaves to the program: the smaller. */
const readFreeMemory = (): number =>
  Math.min(freemem(), process.constrainedMemory() - process.memoryUsage.rss())

interface Work {
  deps: BackupsDeps
  jobs: Platform['jobs']
  tasks: ReturnType<Platform['jobs']['queue']>
  directory: string
}

function work({ deps, jobs, tasks, directory }: Work): void {
  const refused = new Set<string>()
  jobs.queue('backups-due').work({
    repeatSeconds: MINUTE_SECONDS,
    atStart: 'minutely',
    handle: async () => {
      await listForeignCopies(deps, { directory, refused })
      await beginDailyCopy(deps)
      await beginMissedDrill(deps, { directory })
    },
  })
  tasks.work({
    handle: async ({ payload, signal }) => {
      const task = payload as BackupTask
      if (task.what === 'drill') return drillBackup(deps, { id: task.id, directory, signal })
      const copy = await takeCopy(deps, { reason: task.reason, directory, signal })
      if (copy !== undefined) await deps.send(deps.db, { what: 'drill', id: copy.id })
    },
  })
}
