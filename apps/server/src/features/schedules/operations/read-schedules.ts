import type { ListedSchedule, ListQuery, ScheduledChain, ScheduledRun, User } from '@catenary/contracts'
import * as z from 'zod'
import { AppError } from '../../../errors.ts'
import { cursorPosition, defineCursor, type ListPage, toPage } from '../../../list-page.ts'
import { toListedSchedules } from '../schedule-views.ts'
import { countSchedules, listNextTimes, listScheduleRows } from '../schedules.repository.ts'
import type { SchedulesDeps } from '../schedules-deps.ts'
import { openSchedule, readSchedule } from './open-schedule.ts'

/** Fewer than elsewhere, as each carries its last occurrences. */
const PAGE_MAX = 100
const CURSOR = defineCursor({
  list: 'schedules',
  position: z.strictObject({ time: cursorPosition.time, id: cursorPosition.id }),
})

/** One's own schedules of a chain, even when the chain is hidden; all of them for people who may edit it. */
export function listSchedules(
  deps: SchedulesDeps,
  { chainId, user, query }: { chainId: number; user: User; query: ListQuery },
): Promise<ListPage<ListedSchedule>> {
  return deps.db.transaction(async (tx) => {
    const chain = await deps.chains.findAccess(tx, { id: chainId, user })
    const filter = { chainId, createdBy: chain?.canEdit === true ? undefined : user.id }
    const after = CURSOR.read(query.cursor)
    const limit = Math.min(query.limit, PAGE_MAX)
    const listed = await listScheduleRows(tx, { ...filter, after, limit: limit + 1 })
    if (chain?.canView !== true && listed.length === 0) throw new AppError('not_found', 'Chain not found')
    return toPage({
      rows: await toListedSchedules(deps, tx, { listed, chain, viewer: user }),
      limit,
      toItem: (row) => row,
      total: after ? undefined : { count: await countSchedules(tx, filter) },
      cursorOf: ({ scheduledTime, id }) => CURSOR.write({ time: scheduledTime, id }),
    })
  })
}

/** With its whole input. Throws `not_found` for a schedule that the user can't see. */
export function findSchedule(deps: SchedulesDeps, wanted: { id: number; user: User }): Promise<ScheduledRun> {
  return deps.db.transaction(async (tx) => {
    await openSchedule(deps, tx, wanted)
    return readSchedule(deps, tx, wanted)
  })
}

/** Chains with an active schedule that the user may see, the next one first. */
export async function listScheduledChains({ db }: SchedulesDeps, user: User): Promise<ScheduledChain[]> {
  const rows = await listNextTimes(db, user)
  return rows.map(({ nextDueAt, ...row }) => ({ ...row, nextRunAt: nextDueAt.toISOString() }))
}
