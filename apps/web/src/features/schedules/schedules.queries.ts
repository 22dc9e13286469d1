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
import { nextPoll } from './next-poll.ts'

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
