import type { ListedSchedule, ListQuery, ScheduledChain, ScheduledRun, User } from '@catenary/contracts'
import * as z from 'zod'
import { AppError } from '../../errors.ts'
import { type Context, type SqlContext, transaction } from '../../platform/context.ts'
import { cursorPosition, defineCursor, type ListPage, toPage } from '../../platform/list-page.ts'
import { findChainAccess } from '../chains/chains.ts'
import { openSchedule, readSchedule } from './open-schedule.ts'
import { toListedSchedules } from './schedule-views.ts'
import { countSchedules, listNextTimes, listScheduleRows } from './schedules.sql.ts'

/** Fewer than elsewhere, as each carries its last occurrences. */
const PAGE_MAX = 100
const CURSOR = defineCursor({
  list: 'schedules',
  position: z.strictObject({ time: cursorPosition.time, id: cursorPosition.id }),
})

export function listSchedules(
  ctx: Context,
  { chainId, user, query }: { chainId: number; user: User; query: ListQuery },
): Promise<ListPage<ListedSchedule>> {
  return transaction(ctx, async (ctx) => {
    const chain = await findChainAccess(ctx, { id: chainId, user })
    const filter = { chainId, createdBy: chain?.canEdit === true ? undefined : user.id }
    const after = CURSOR.read(query.cursor)
    const limit = Math.min(query.limit, PAGE_MAX)
    const listed = await listScheduleRows(ctx.db, { ...filter, after, limit: limit + 1 })
    if (chain?.canView !== true && listed.length === 0) throw new AppError('not_found', 'Chain not found')
    return toPage({
      rows: await toListedSchedules(ctx, { listed, chain, viewer: user }),
      limit,
      toItem: (row) => row,
      total: after ? undefined : { count: await countSchedules(ctx.db, filter) },
      cursorOf: ({ scheduledTime, id }) => CURSOR.write({ time: scheduledTime, id }),
    })
  })
}

export function findSchedule(ctx: Context, wanted: { id: number; user: User }): Promise<ScheduledRun> {
  return transaction(ctx, async (ctx) => {
    await openSchedule(ctx, wanted)
    return readSchedule(ctx, wanted)
  })
}

export async function listScheduledChains(
  { db }: SqlContext,
  { user }: { user: User },
): Promise<ScheduledChain[]> {
  const rows = await listNextTimes(db, user)
  return rows.map(({ nextDueAt, ...row }) => ({ ...row, nextRunAt: nextDueAt.toISOString() }))
}
