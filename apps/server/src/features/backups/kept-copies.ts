import { type BackupReason, KEPT_COPIES } from '@catenary/contracts'
import { fromWallClock, toWallClock } from '@catenary/domain/recurrence'
import type { Context } from '../../platform/context.ts'
import type { BackupRow } from './backups.sql.ts'

const DAY_MS = 86_400_000
const WEEK_DAYS = 7
/** 1970 began on a Thursday. */
const DAYS_BEFORE_MONDAY = 3

export const daysAgo = ({ now }: Context, days: number): Date => new Date(now().getTime() - days * DAY_MS)

export const isProven = ({ drill }: Pick<BackupRow, 'drill'>): boolean => drill?.state === 'proven'

export const zoneHere = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

/** The last moment at which a clock of the zone showed that time of day, such as 03:00. */
export function lastDue({ now, time, timeZone }: { now: Date; time: string; timeZone: string }): Date {
  const today = fromWallClock(`${dayOf(now, timeZone)}T${time}`, timeZone)
  if (today <= now) return today
  const [day = ''] = new Date(Date.parse(dayOf(now, timeZone)) - DAY_MS).toISOString().split('T')
  return fromWallClock(`${day}T${time}`, timeZone)
}

interface KeptCopy {
  takenAt: Date
  reason: BackupReason
  isProven: boolean
}

/**
 * Copies past their time: beyond the newest of seven days, of the four weeks before them, and of five migrations.
 * Copies made by hand stay, as does the newest that is proven.
 */
export function listSpare<Copy extends KeptCopy>(
  copies: readonly Copy[],
  { timeZone }: { timeZone: string },
): Copy[] {
  const newestFirst = copies.toSorted((a, b) => b.takenAt.getTime() - a.takenAt.getTime())
  const proven = newestFirst.find(({ isProven }) => isProven)
  const daily = newestFirst.filter(({ reason }) => reason === 'daily')
  const ofDays = newestOfEach(daily, ({ takenAt }) => dayOf(takenAt, timeZone), KEPT_COPIES.daily)
  const older = daily.filter((copy) => !ofDays.has(copy))
  const ofWeeks = newestOfEach(older, ({ takenAt }) => weekOf(takenAt, timeZone), KEPT_COPIES.weekly)
  const ofMigrations = newestFirst
    .filter(({ reason }) => reason === 'before migration')
    .slice(0, KEPT_COPIES.beforeMigrations)
  const kept = new Set([...ofDays, ...ofWeeks, ...ofMigrations])
  return newestFirst.filter((copy) => copy.reason !== 'by hand' && copy !== proven && !kept.has(copy))
}

function newestOfEach<Copy>(copies: readonly Copy[], keyOf: (copy: Copy) => string, most: number): Set<Copy> {
  const newest = new Map<string, Copy>()
  for (const copy of copies) if (!newest.has(keyOf(copy))) newest.set(keyOf(copy), copy)
  return new Set([...newest.values()].slice(0, most))
}

function dayOf(time: Date, timeZone: string): string {
  return toWallClock(time, timeZone).slice(0, 'yyyy-MM-dd'.length)
}

/** Weeks begin on Monday. */
function weekOf(time: Date, timeZone: string): string {
  const days = Date.parse(dayOf(time, timeZone)) / DAY_MS
  return String(Math.floor((days + DAYS_BEFORE_MONDAY) / WEEK_DAYS))
}
