import {
  type CreateScheduleRequest,
  listedSchedule,
  type ScheduledRun,
  scheduledChain,
  scheduledRun,
  type UpdateScheduleRequest,
} from '@catenary/contracts'
import { queryOptions } from '@tanstack/react-query'
import * as z from 'zod'
import { api, apiSend } from '../../lib/api.ts'
import { useRefreshingWrite } from '../../lib/use-refreshing-write.ts'

const ROOT = ['schedules'] as const

export function scheduledRunsQuery(chainId: number) {
  return queryOptions({
    queryKey: [...ROOT, 'chain', chainId],
    queryFn: ({ signal }) =>
      api('GET /api/chains/{id}/scheduled-runs', { params: { id: chainId }, list: listedSchedule, signal }),
    // They run without an action of this page.
    staleTime: 0,
    refetchInterval: ({ state }) => nextPoll({ runs: state.data ?? [], now: Date.now() }),
  })
}

export function scheduledRunQuery(id: number) {
  return queryOptions({
    queryKey: [...ROOT, 'one', id],
    queryFn: ({ signal }) =>
      api('GET /api/scheduled-runs/{id}', { params: { id }, reply: scheduledRun, signal }),
    staleTime: 0,
    gcTime: 0,
  })
}

export const scheduledChainsQuery = queryOptions({
  queryKey: [...ROOT, 'chains'],
  queryFn: ({ signal }) => api('GET /api/scheduled-chains', { reply: z.array(scheduledChain), signal }),
  staleTime: 0,
})

export function useCreateSchedule(chainId: number) {
  return useRefreshingWrite(ROOT, (body: CreateScheduleRequest) =>
    api('POST /api/chains/{id}/schedule', { params: { id: chainId }, body, created: scheduledRun }),
  )
}

export function useUpdateSchedule() {
  return useRefreshingWrite(ROOT, ({ id, body }: { id: number; body: UpdateScheduleRequest }) =>
    api('PATCH /api/scheduled-runs/{id}', { params: { id }, body, reply: scheduledRun }),
  )
}

export function useDeleteSchedule() {
  return useRefreshingWrite(ROOT, (id: number) => api('DELETE /api/scheduled-runs/{id}', { params: { id } }))
}

export function useRunScheduleNow() {
  return useRefreshingWrite(ROOT, ({ id }: Pick<ScheduledRun, 'id'>) =>
    apiSend('POST /api/scheduled-runs/{id}/execute', { params: { id } }),
  )
}

const RUNNING_MS = 2000
const MAIL_MS = 10_000
const OVERDUE_MS = 10_000
/** A start takes a moment. */
const AFTER_DUE_MS = 1000
const LONGEST_MS = 3_600_000

/** When to poll schedules again: soon while one runs, else when the next one is due. */
export function nextPoll({ runs, now }: { runs: readonly ScheduledRun[]; now: number }): number | false {
  const waits = runs.flatMap(({ status, occurrences, emailStatus, nextRunAt }) => {
    const isRunning = status === 'running' || (status === 'pending' && occurrences.length > 0)
    const untilDue = nextRunAt === null ? null : Date.parse(nextRunAt) - now
    return [
      isRunning && RUNNING_MS,
      emailStatus === 'pending' && MAIL_MS,
      untilDue !== null && (untilDue > 0 ? untilDue + AFTER_DUE_MS : OVERDUE_MS),
    ].filter((wait) => wait !== false)
  })
  return waits.length === 0 ? false : Math.min(...waits, LONGEST_MS)
}
