import * as z from 'zod'
import { timestamp } from '../common.ts'
import { defineApi } from '../endpoint.ts'

export const KEPT_DAYS_MAX = 3_650
/** A saved reply is repeated for at least a day (D7). */
export const KEY_HOURS_MIN = 24
export const KEY_HOURS_MAX = 720

const days = (what: string) =>
  z
    .int('Days must be a whole number')
    .min(1, 'Days must be at least 1')
    .max(KEPT_DAYS_MAX, { error: () => `Days must be at most ${KEPT_DAYS_MAX.toLocaleString('en')}` })
    .nullable()
    .describe(`${what} null: forever.`)

export const retentionSettings = z.strictObject({
  runDays: days('Days for which runs are kept.'),
  textDays: days(
    'Days for which the texts of runs are kept: what was typed, sent and answered. Their metrics stay; a run without texts can’t be resumed.',
  ),
  keyHours: z
    .int('Hours must be a whole number')
    .min(KEY_HOURS_MIN, `Hours must be at least ${KEY_HOURS_MIN}`)
    .max(KEY_HOURS_MAX, `Hours must be at most ${KEY_HOURS_MAX}`)
    .describe('Hours for which the first reply to an Idempotency-Key is repeated.'),
  activityDays: days('Days for which the activity is kept; whole days are deleted.'),
})
export type RetentionSettings = z.infer<typeof retentionSettings>

const retentionRequest = retentionSettings.extend({
  activityDays: retentionSettings.shape.activityDays
    .optional()
    .describe('Days for which the activity is kept; null: forever. Absent: as before.'),
})
export type RetentionRequest = z.infer<typeof retentionRequest>

export const DEFAULT_RETENTION: RetentionSettings = {
  runDays: null,
  textDays: null,
  keyHours: KEY_HOURS_MIN,
  activityDays: 400,
}

const stored = z.object({
  bytes: z.int().describe('Bytes on disk, with indexes and free space for new rows.'),
  rows: z.int().describe('The database’s latest estimate.'),
})

export const retentionState = z.object({
  settings: retentionSettings.describe('Set by an administrator.'),
  sizes: z
    .object({
      runs: stored.describe('Runs and their steps, including short texts.'),
      texts: stored.pick({ bytes: true }).describe('The longer texts of runs.'),
      keys: stored.describe('First replies to Idempotency-Keys.'),
      database: stored.pick({ bytes: true }).describe('The whole database.'),
    })
    .describe('Storage used by each.'),
  last: z
    .object({
      at: timestamp,
      runs: z.int().describe('Runs that were deleted.'),
      texts: z.int().describe('Runs whose texts were deleted.'),
    })
    .nullable()
    .describe('The last cleanup; null: none yet.'),
})
export type RetentionState = z.infer<typeof retentionState>

export const retentionApi = defineApi('admin', {
  'GET /api/admin/retention': {
    who: 'admin',
    summary:
      'How long runs, their texts, idempotency keys and the activity are kept, and how much space they use',
    reply: retentionState,
    errors: [401, 403],
  },
  'PUT /api/admin/retention': {
    who: 'admin',
    summary: 'Set how long runs, their texts, idempotency keys and the activity are kept',
    description: 'Anything older is permanently deleted in the background, now and every hour.',
    body: retentionRequest,
    reply: retentionState,
    errors: [401, 403],
    activity: { kind: 'instance.retention_set', object: 'instance' },
  },
})
