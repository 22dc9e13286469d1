import type { BackupCopy, BackupDrill, BackupsState } from '@catenary/contracts'

const DAY_MS = 86_400_000
/** When copies are made, in UTC. */
const AT_NIGHT_MS = 2 * 3_600_000
/** As long as a copy and its trial take, with some to spare. */
const MADE_MS = 3_600_000
/** Of the last night, as what is older than two days is shown otherwise. */
const LAST = Math.floor((Date.now() - AT_NIGHT_MS - MADE_MS) / DAY_MS) * DAY_MS + AT_NIGHT_MS
const daysBefore = (days: number) => new Date(LAST - days * DAY_MS).toISOString()
const MEGABYTE = 1_000_000

/** The night without a copy. */
const MISSED = 5

const proven = (at: string): BackupDrill => ({
  state: 'proven',
  at,
  ms: 7_512,
  restoreMs: 6_104,
  rows: 41_208,
  stages: [
    { name: 'opened', ms: 412, found: '214 of 214 checksums match' },
    { name: 'counted', ms: 3_611, found: '41,208 rows match its manifest' },
    { name: 'migrated', ms: 2_081, found: 'schema 61, nothing to do' },
    { name: 'ran', ms: 1_408, found: 'Monday digest, in the sandbox' },
  ],
  problem: null,
})

export const notProven: BackupDrill = {
  ...proven(daysBefore(0)),
  state: 'failed',
  ms: 4_100,
  restoreMs: null,
  rows: null,
  stages: [{ name: 'opened', ms: 412, found: '214 of 214 checksums match' }],
  problem:
    'The copy can’t be restored completely: its table executions has 41,102 rows instead of 41,208. Use another copy.',
  log: 'PANIC:  could not locate a valid checkpoint record\nLOG:  startup process (PID 42) was terminated by signal 6: Aborted',
}

const bytesOf = (days: number) => Math.round((24.6 - days * 0.21) * MEGABYTE)

function daily(days: number): BackupCopy {
  const takenAt = daysBefore(days)
  const program = days < 2 ? '1.0.14' : '1.0.13'
  const copy = { id: 100 - days, takenAt, reason: 'daily' as const, program, schema: 61 }
  if (days === MISSED) {
    const problem =
      '31 MB are free in /backups, and a copy may take 61 MB. Free up space, or choose a file on another disk.'
    return {
      ...copy,
      name: null,
      state: 'failed',
      bytes: null,
      schema: null,
      rows: null,
      problem,
      log: null,
      drill: null,
    }
  }
  const name = `catenary-${takenAt.slice(0, 10)}T020000Z-daily.catenary`
  const kept = { name, state: 'kept' as const, bytes: bytesOf(days), rows: 41_208, problem: null, log: null }
  return { ...copy, ...kept, drill: proven(new Date(Date.parse(takenAt) + 720_000).toISOString()) }
}

const beforeMigration: BackupCopy = {
  ...daily(3),
  id: 60,
  name: 'before-migration-60.catenary',
  takenAt: new Date(LAST - 2.4 * DAY_MS).toISOString(),
  reason: 'before migration',
  schema: 60,
  rows: null,
  drill: null,
}

/** The day of the newest copy, as in `2026-11-24`. */
export const lastDay = daysBefore(0).slice(0, 10)

/** A month of nights, one of which failed. */
export const backups: BackupsState = {
  place: { directory: '/backups', freeBytes: 212_000_000_000, isOtherDisk: true, problem: null },
  database: { kind: 'embedded', bytes: 61_300_000 },
  time: '03:00',
  timeZone: 'Europe/Berlin',
  hasCommand: false,
  toldByMail: ['maren'],
  keyFingerprint: '7f3ac9d05b1e88a4c2f6e9071d3b5a60f2c84e97ab1d0c3f5e6a7b8c9d0e04be',
  underWay: null,
  copies: [
    ...[daily(0), daily(1), daily(2), beforeMigration],
    ...[daily(3), daily(4), daily(5), daily(6), daily(7)],
    { ...daily(8), state: 'gone' },
  ],
  nights: Array.from({ length: 30 }, (_, place) => {
    const days = 29 - place
    return { at: daysBefore(days), bytes: days === MISSED ? null : bytesOf(days) }
  }),
}

const said =
  'rclone: Failed to copy catenary-2026-11-24T020000Z-daily.catenary to remote:backups/catenary: googleapi: Error 403: The user’s storage quota has been exceeded., storageQuotaExceeded'
export const commandFailed = {
  problem: `The copy is here, but BACKUP_COMMAND failed (1): ${said}`,
  log: [
    '2026/11/24 03:00:41 INFO  : Google drive root ‘backups/catenary’: Waiting for checks to finish',
    ...Array.from(
      { length: 12 },
      (_, n) => `2026/11/24 03:${n + 10}:41 INFO  : Transferred: ${n * 2} MiB / 24.6 MiB, ${n * 8} %`,
    ),
    said,
  ].join('\n'),
}

/** The newest of a night whose copy failed. */
export const copyFailed: BackupCopy = {
  ...daily(MISSED),
  id: 200,
  takenAt: daysBefore(0),
  problem: 'The disk filled up. The incomplete copy was deleted.',
  log: 'Error (ENOSPC): ENOSPC: no space left on device, write',
}

const LONG_FOLDER =
  '/mnt/an-organisation-with-a-very-long-name/backups-of-catenary-in-production/kept-for-seven-years'
/** As long as people make them. */
export const longBackups: BackupsState = {
  ...backups,
  place: { directory: LONG_FOLDER, freeBytes: 212_000_000_000, isOtherDisk: false, problem: null },
  ...{ timeZone: 'America/Argentina/ComodRivadavia', hasCommand: true, toldByMail: [] },
  copies: backups.copies.map((copy, place) => ({
    ...copy,
    program: '12.10.104-rc.12',
    bytes: copy.bytes === null ? null : copy.bytes * 9_000,
    drill: place > 0 ? copy.drill : withLongChain(copy.drill),
  })),
}

function withLongChain(drill: BackupDrill | null): BackupDrill | null {
  const found =
    'Weekly digest of everything that the harbour master’s office answered, with the tide table, in the sandbox'
  return (
    drill && {
      ...drill,
      stages: drill.stages.map((stage) => (stage.name === 'ran' ? { ...stage, found } : stage)),
    }
  )
}

/** As long as names may be. */
export const longNames = ['maren', 'an-administrator-whose-name-is-very-long-indeed', 'grace']

export const quiet = {
  since: daysBefore(0),
  pending: { schedules: 12, mails: 3, jobs: 40, runs: 1 },
}
