import type { BackupReason } from '@catenary/contracts'
import { type Context, onePerApp } from '../../platform/context.ts'

export type BackupTask = { what: 'copy'; reason: BackupReason } | { what: 'drill'; id: number }

export const backupTasks = onePerApp(({ jobs }) => jobs.queue<BackupTask>('backup'))

export const sendTask = (ctx: Context, task: BackupTask): Promise<void> =>
  backupTasks(ctx).send(ctx.db, { key: task.what, payload: task })

export async function findUnderWay(ctx: Context): Promise<BackupTask['what'] | null> {
  // The job that made the copy is in it.
  if (ctx.isQuiet) return null
  const tasks = backupTasks(ctx)
  if (await tasks.has(ctx.db, 'copy')) return 'copy'
  return (await tasks.has(ctx.db, 'drill')) ? 'drill' : null
}
