import { type AdminNotices, BACKUP_LATE_SECONDS, pendingWork } from '@catenary/contracts'
import * as z from 'zod'
import { latestBelieved } from '../../platform/clock-ahead.ts'
import type { Context } from '../../platform/context.ts'
import { describeFolder, listReadableCopies } from './backup-folder.ts'
import { type BackupRow, findFirstAccountAt, listBackups, readQuietRow } from './backups.sql.ts'
import { findPlaceProblem } from './copies-place.ts'
import { daysAgo, isProven } from './kept-copies.ts'

const quietRow = z.object({ since: z.iso.datetime(), pending: pendingWork })

/** A new copy has been tried by then. */
const NOTICED_DAYS = 7

type Notice = NonNullable<AdminNotices['backup']>

export async function readNotices(ctx: Context): Promise<AdminNotices> {
  const quiet = quietRow.safeParse(await readQuietRow(ctx.db)).data ?? null
  const awaitsStart = quiet === null && ctx.isQuiet
  if (quiet !== null || awaitsStart) return { quiet, awaitsStart, backup: null }
  return { quiet, awaitsStart, backup: await findNotice(ctx) }
}

async function findNotice(ctx: Context): Promise<Notice | null> {
  return (await findFailure(ctx)) ?? (await findFolderProblem(ctx)) ?? (await findLateness(ctx))
}

/** Reported at once: otherwise the only sign would be that the newest proof grows old. */
async function findFolderProblem(ctx: Context): Promise<Notice | null> {
  const { now, settings } = ctx
  const { directory } = settings.backups
  if (directory === undefined) return null
  const { problem } = await describeFolder(directory, { database: null })
  const said = problem === null ? null : `The folder of the copies can’t be used: ${problem}`
  const why = said ?? (await findPlaceProblem(ctx, directory))
  return why === null ? null : { what: 'copy', at: now().toISOString(), problem: why }
}

async function findFailure(ctx: Context): Promise<Notice | null> {
  const rows = await listBackups(ctx.db, {
    since: daysAgo(ctx, NOTICED_DAYS),
    until: latestBelieved(ctx.now()),
  })
  const standing = rows.filter(({ state }) => state !== 'deleted')
  const proven = standing.findIndex(isProven)
  const unproven = proven === -1 ? standing : standing.slice(0, proven + 1)
  return unproven.map(toDrillNotice).find(Boolean) ?? unproven.map(toCopyNotice).find(Boolean) ?? null
}

function toDrillNotice({ drill }: BackupRow): Notice | null {
  if (drill?.state !== 'failed' || drill.problem === null) return null
  return { what: 'drill', at: drill.at, problem: drill.problem }
}

function toCopyNotice({ problem, takenAt }: BackupRow): Notice | null {
  return problem === null ? null : { what: 'copy', at: takenAt.toISOString(), problem }
}

async function findLateness(ctx: Context): Promise<Notice | null> {
  const proof = await findProof(ctx)
  if (proof === null || ageOf(ctx, proof.at) < BACKUP_LATE_SECONDS) return null
  const { at, isProven: isThere } = proof
  const problem = isThere ? 'Nothing written since then is in a proven backup.' : 'There is no proven backup.'
  return { what: 'late', at: at.toISOString(), problem: `${problem} Check that a worker is running.` }
}

/**
 * Seconds since the newest copy was made that was proven and is there, or since the first account where there is none.
 * Null where no copies are made by themselves, or nobody has an account.
 */
export async function readProvenAge(ctx: Context): Promise<number | null> {
  const proof = await findProof(ctx)
  return proof === null ? null : ageOf(ctx, proof.at)
}

const ageOf = ({ now }: Context, at: Date): number => Math.max(0, (now().getTime() - at.getTime()) / 1_000)

/** Since when everything is proven to be restorable, or since when it should be. */
async function findProof({ db, now, settings }: Context): Promise<{ at: Date; isProven: boolean } | null> {
  const { directory } = settings.backups
  if (directory === undefined) return null
  const rows = await listBackups(db, { since: now(), until: latestBelieved(now()) })
  const there = await listReadableCopies(directory)
  const proven = rows.find((row) => isProven(row) && there.has(row.name ?? ''))
  if (proven !== undefined) return { at: proven.takenAt, isProven: true }
  const at = await findFirstAccountAt(db)
  return at === null ? null : { at, isProven: false }
}

export function watchBackups(ctx: Context): void {
  ctx.metrics?.watch({
    gauges: {
      backup_proven_age_seconds:
        'Time since the newest proven backup was made or, if there is none, since the first account; absent if no automatic backups are made.',
      backup_failing: 'The last backup failed.',
      backup_drill_failing: 'The test restore of the last backup failed.',
    },
    read: async () => {
      const failing = (await readNotices(ctx)).backup?.what
      return {
        backup_proven_age_seconds: await readProvenAge(ctx),
        backup_failing: Number(failing === 'copy'),
        backup_drill_failing: Number(failing === 'drill'),
      }
    },
  })
}
