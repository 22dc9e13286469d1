import {
  DEFAULT_RETENTION,
  type RetentionRequest,
  type RetentionSettings,
  type RetentionState,
} from '@catenary/contracts'
import { type Context, onePerApp, type SqlContext, transaction } from '../../platform/context.ts'
import { deleteEndedDays, keptDays, recordActivity, saveKeptDays } from '../activity/activity.ts'
import {
  deleteOldHookDeliveries,
  deleteOldRuns,
  deleteOldTexts,
  findOptionalLastCleanup,
  findOptionalRetention,
  readSizes,
  saveLastCleanup,
  saveRetention,
} from './retention.sql.ts'

const DAY_MS = 86_400_000

/** Deletions each hour, and once what is kept changes. */
const retentionQueue = onePerApp(({ jobs }) => jobs.queue('retention'))
const HOUR_SECONDS = 3_600
const KEY = 'hourly'

export function workRetention(ctx: Context): void {
  retentionQueue(ctx).work({
    repeatSeconds: HOUR_SECONDS,
    atStart: KEY,
    handle: ({ signal }) => deleteOld(ctx, signal),
  })
}

async function readSettings({ db }: SqlContext): Promise<RetentionSettings> {
  const stored = await findOptionalRetention(db)
  return { ...DEFAULT_RETENTION, ...stored, activityDays: await keptDays(db) }
}

export async function readRetention(ctx: Context): Promise<RetentionState> {
  const { db } = ctx
  return {
    settings: await readSettings(ctx),
    sizes: await readSizes(db),
    last: (await findOptionalLastCleanup(db)) ?? null,
  }
}

/** What is past its time is deleted from now on, in the background. */
export async function changeRetention(
  ctx: Context,
  { body }: { body: RetentionRequest },
): Promise<RetentionState> {
  await transaction(ctx, async (ctx) => {
    const { db } = ctx
    const before = await readSettings(ctx)
    const { activityDays = before.activityDays, ...stored } = body
    const after = { ...stored, activityDays }
    await saveRetention(db, stored)
    await saveKeptDays(db, activityDays)
    await recordActivity(ctx, { kind: 'instance.retention_set', object: 'instance', before, after })
    const queue = retentionQueue(ctx)
    await queue.remove(db, KEY)
    await queue.send(db, { key: KEY, payload: {} })
  })
  return readRetention(ctx)
}

async function deleteOld(ctx: Context, signal: AbortSignal): Promise<void> {
  const { app, now } = ctx
  const daysAgo = (days: number) => new Date(now().getTime() - days * DAY_MS)
  const { runDays, textDays, activityDays } = await readSettings(ctx)
  const runs = runDays === null ? 0 : await deleteOldRuns(app.db, { before: daysAgo(runDays), signal })
  if (runDays !== null) await deleteOldHookDeliveries(app.db, { before: daysAgo(runDays), signal })
  const texts = textDays === null ? 0 : await deleteOldTexts(app.db, { before: daysAgo(textDays), signal })
  if (activityDays !== null) {
    const before = daysAgo(activityDays).toISOString().slice(0, 'YYYY-MM-DD'.length)
    await deleteEndedDays(ctx, { before, signal })
  }
  await saveLastCleanup(app.db, { at: now().toISOString(), runs, texts })
}
