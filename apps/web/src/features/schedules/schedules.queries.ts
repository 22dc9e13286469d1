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
import { read, readAll, write } from '../../lib/api-client.ts'
import { useRefreshingWrite } from '../../lib/use-refreshing-write.ts'
import { nextPoll } from './next-poll.ts'

const ROOT = ['schedules'] as const

/** The schedules of a chain, newest scheduled time first. */
export function scheduledRunsQuery(chainId: number) {
  return queryOptions({
    queryKey: [...ROOT, 'chain', chainId],
    queryFn: ({ signal }) =>
      readAll({ path: `/api/chains/${chainId}/scheduled-runs`, schema: listedSchedule, signal }),
    // They run without an action of this page.
    staleTime: 0,
    refetchInterval: ({ state }) => nextPoll({ runs: state.data ?? [], now: Date.now() }),
  })
}

/** One with its whole input. */
export function scheduledRunQuery(id: number) {
  return queryOptions({
    queryKey: [...ROOT, 'one', id],
    queryFn: ({ signal }) => read({ path: `/api/scheduled-runs/${id}`, schema: scheduledRun, signal }),
    staleTime: 0,
    gcTime: 0,
  })
}

/** Which chains are scheduled, and when next. */
export const scheduledChainsQuery = queryOptions({
  queryKey: [...ROOT, 'chains'],
  queryFn: ({ signal }) => read({ path: '/api/scheduled-chains', schema: z.array(scheduledChain), signal }),
  staleTime: 0,
})

/** Schedules runs of a chain. The caller tells the person about a failure. */
export function useCreateSchedule(chainId: number) {
  return useRefreshingWrite(ROOT, (body: CreateScheduleRequest) =>
    write({ method: 'POST', path: `/api/chains/${chainId}/schedule`, body, schema: scheduledRun }),
  )
}

/** Saves a schedule, or turns it on or off. The caller tells the person about a failure. */
export function useUpdateSchedule() {
  return useRefreshingWrite(ROOT, ({ id, body }: { id: number; body: UpdateScheduleRequest }) =>
    write({ method: 'PATCH', path: `/api/scheduled-runs/${id}`, body, schema: scheduledRun }),
  )
}

/** Deletes a schedule; runs under way go on. The caller tells the person about a failure. */
export function useDeleteSchedule() {
  return useRefreshingWrite(ROOT, (id: number) =>
    write({ method: 'DELETE', path: `/api/scheduled-runs/${id}` }),
  )
}

/** Runs a schedule now, beside its times. The caller tells the person about a failure. */
export function useRunScheduleNow() {
  return useRefreshingWrite(ROOT, ({ id }: Pick<ScheduledRun, 'id'>) =>
    write({ method: 'POST', path: `/api/scheduled-runs/${id}/execute` }),
  )
}
