import * as z from 'zod'
import { id, idParams, timestamp } from '../common.ts'
import { defineApi } from '../endpoint.ts'

/** Copies made by hand stay until someone deletes them. */
export const KEPT_COPIES = { daily: 7, weekly: 4, beforeMigrations: 5 } as const
export const BACKUP_DAYS_SHOWN = 30
/** Age in seconds at which a proof is too old: two nights, and what making and trying a copy may take. */
export const BACKUP_LATE_SECONDS = 180_000

export const backupReason = z.enum(['by hand', 'daily', 'before migration']).describe('Why it was made.')
export type BackupReason = z.infer<typeof backupReason>

export const drillStage = z.object({
  name: z
    .enum(['opened', 'migrated', 'counted', 'ran'])
    .describe(
      'opened: checksums compared and the database started; migrated: brought up to this version; counted: its rows compared with the manifest; ran: a chain run in the sandbox.',
    ),
  ms: z.int().describe('How long it took, in milliseconds.'),
  found: z.string().describe('What was found, in a few words.'),
})
export type DrillStage = z.infer<typeof drillStage>

export const backupDrill = z.object({
  state: z.enum(['proven', 'failed']).describe('proven: it can be restored.'),
  at: timestamp,
  ms: z.int().describe('Total time in milliseconds.'),
  restoreMs: z
    .int()
    .nullable()
    .describe('About how long a restore takes, in milliseconds; null: it did not get that far.'),
  rows: z.int().nullable().describe('Rows of all tables; null: they were not counted.'),
  stages: z.array(drillStage).describe('Those that passed, in order.'),
  problem: z.string().nullable().describe('Why it failed; null: it did not.'),
  log: z
    .string()
    .nullable()
    .optional()
    .describe('If it failed, the end of its process’s output; null or absent: nothing more is known.'),
})
export type BackupDrill = z.infer<typeof backupDrill>

export const backupCopy = z.object({
  id,
  name: z.string().nullable().describe('Name of its file; null: there never was one.'),
  takenAt: timestamp,
  reason: backupReason,
  state: z
    .enum(['kept', 'failed', 'gone'])
    .describe('gone: its file is missing, though nobody deleted it here.'),
  bytes: z.number().nullable().describe('Size of its file; null: there never was one.'),
  program: z.string().describe('The version of Catenary that made it.'),
  schema: z.int().nullable().describe('How many migrations its database had; null: unknown.'),
  rows: z.int().nullable().describe('Rows of all tables; null: unknown.'),
  problem: z.string().nullable().describe('Why it failed; null: it did not.'),
  log: z
    .string()
    .nullable()
    .describe('If it failed, the end of the command’s output; null: nothing more is known.'),
  drill: backupDrill.nullable().describe('Its latest test restore; null: none yet.'),
})
export type BackupCopy = z.infer<typeof backupCopy>

const night = z.object({
  at: timestamp,
  bytes: z.number().nullable().describe('Size of the copy; null: it failed.'),
})

export const backupsState = z.object({
  place: z
    .object({
      directory: z.string().describe('Where the copies are kept, on the server.'),
      freeBytes: z.number().nullable().describe('Free space there; null: unknown.'),
      isOtherDisk: z.boolean().describe('It is on a different disk from the database.'),
      problem: z.string().nullable().describe('Why it can’t be used; null: it can be used.'),
    })
    .nullable()
    .describe('null: BACKUP_DIR is not set, so no automatic copies are made.'),
  database: z
    .object({
      kind: z.enum(['embedded', 'server']).describe('server: a PostgreSQL server.'),
      bytes: z.number().describe('Its size.'),
    })
    .describe('What is copied.'),
  time: z.string().describe('When a copy is made each day, such as 03:00.'),
  timeZone: z.string().describe('The zone of that time.'),
  hasCommand: z.boolean().describe('A command runs for each copy.'),
  toldByMail: z
    .array(z.string())
    .describe('Usernames of people who get an email when a copy or its test restore fails.'),
  keyFingerprint: z.string().describe('SHA-256 of the key that the copies need but don’t contain.'),
  underWay: z
    .enum(['copy', 'drill'])
    .nullable()
    .describe('What is running or about to start; null: nothing.'),
  copies: z.array(backupCopy).describe('Newest first; failed ones are listed for 30 days.'),
  nights: z.array(night).describe('The daily copies of the last 30 days, oldest first.'),
})
export type BackupsState = z.infer<typeof backupsState>

export const verifiedBackup = z.object({
  problem: z.string().nullable().describe('Why the file can’t be used; null: it is intact.'),
  bytes: z.number().nullable().describe('Its size; null: it could not be read.'),
  rows: z.int().nullable().describe('Rows it contains; null: it could not be read.'),
  tables: z.int().nullable().describe('Number of tables; null: it could not be read.'),
})
export type VerifiedBackup = z.infer<typeof verifiedBackup>

const pending = z.int().min(0)
export const pendingWork = z.object({
  schedules: pending.describe('Schedules that have a next time.'),
  mails: pending.describe('Emails, one per recipient.'),
  jobs: pending.describe('Jobs.'),
  runs: pending.describe('Runs of prompts and chains.'),
})
export type PendingWork = z.infer<typeof pendingWork>

export const adminNotices = z.object({
  quiet: z
    .object({ since: timestamp, pending: pendingWork.describe('What waits.') })
    .nullable()
    .describe('Set while this is a quiet restored copy; null: it is not.'),
  awaitsStart: z
    .boolean()
    .describe('Its work was resumed, but this process is as quiet as before until it is started again.'),
  backup: z
    .object({
      what: z
        .enum(['drill', 'copy', 'late'])
        .describe('Most serious first; late: nothing failed, but no copy has been proven for two days.'),
      at: timestamp.describe('When it failed; for late, when the last copy was proven.'),
      problem: z.string().describe('Why it failed, or what is missing.'),
    })
    .nullable()
    .describe('What has failed since a copy was last proven; null: nothing.'),
})
export type AdminNotices = z.infer<typeof adminNotices>

export const BACKUP_DOWNLOADS_AN_HOUR = 10

export const backupsApi = defineApi('admin', {
  'GET /api/admin/backups': {
    who: 'admin',
    summary: 'The kept copies, and where and when they are made',
    reply: backupsState,
    errors: [401, 403, 404, 409],
  },
  'POST /api/admin/backups': {
    who: 'admin',
    summary: 'Make a copy now',
    description: 'It continues in the background.',
    reply: backupsState,
    errors: [401, 403, 404, 409],
    activity: { kind: 'backup.made', object: 'backup' },
  },
  'POST /api/admin/backups/{id}/drill': {
    who: 'admin',
    summary: 'Test that a copy can be restored',
    description: 'In a separate process without network access; it continues in the background.',
    params: idParams,
    reply: backupsState,
    errors: [401, 403, 404, 409],
    activity: { kind: 'backup.tried', object: 'backup' },
  },
  'POST /api/admin/backups/{id}/verify': {
    who: 'admin',
    summary: 'Read a whole copy and compare its checksums',
    params: idParams,
    reply: verifiedBackup,
    errors: [401, 403, 404, 409],
    activity: { none: 'It reads a copy and changes nothing.' },
  },
  'DELETE /api/admin/backups/{id}': {
    who: 'admin',
    summary: 'Delete a copy',
    params: idParams,
    errors: [401, 403, 404, 409],
    activity: { kind: 'backup.deleted', object: 'backup' },
  },
  'GET /api/admin/backups/{id}/file': {
    who: 'admin',
    summary: 'A copy of the whole database, as a file',
    description: `It contains everyone’s texts and results; each download is recorded. At most ${BACKUP_DOWNLOADS_AN_HOUR} an hour.`,
    params: idParams,
    sends: { 200: z.string().describe('The file, ready for `catenary restore`.') },
    errors: [401, 403, 404, 429],
    limits: ['streams'],
    crossSiteCheck: true,
    noStore: true,
    activity: { kind: 'backup.downloaded', object: 'backup' },
  },
  'GET /api/admin/notices': {
    who: 'admin',
    summary: 'Notices shown above every page to administrators',
    reply: adminNotices,
    errors: [401, 403],
  },
  'POST /api/admin/resume-work': {
    who: 'admin',
    summary: 'Resume the work of a restored copy',
    description: 'From the next start, schedules, emails, jobs and runs continue, and models are called.',
    errors: [401, 403, 409],
    activity: { kind: 'instance.work_resumed', object: 'instance' },
  },
})
