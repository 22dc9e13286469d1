import {
  debugSettings,
  type ManagedUser,
  mailTest,
  managedUser,
  type RetentionSettings,
  retentionState,
  type SystemCheckResult,
  schedulerState,
  systemCheck,
  systemCheckResult,
  type ToolSavers,
  toolSaving,
  type UpdateUserRequest,
} from '@catenary/contracts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import * as z from 'zod'
import { api } from '../../lib/api.ts'
import { useSession } from '../../lib/session/session.tsx'

const SCHEDULES_POLL_MS = 10_000

export const debugModeQuery = queryOptions({
  queryKey: ['admin', 'debug-mode'],
  queryFn: ({ signal }) => api('GET /api/admin/debug-mode', { reply: debugSettings, signal }),
  gcTime: 0,
})

export function useSetDebugMode() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (enabled: boolean) =>
      api('POST /api/admin/debug-mode', { body: { enabled }, reply: debugSettings }),
    meta: { failure: false },
    onSuccess: (settings) => {
      client.setQueryData(debugModeQuery.queryKey, settings)
      return client.invalidateQueries({ queryKey: debugModeQuery.queryKey })
    },
  })
}

export const toolSavingQuery = queryOptions({
  queryKey: ['admin', 'tool-steps'],
  queryFn: ({ signal }) => api('GET /api/admin/tool-steps', { reply: toolSaving, signal }),
  gcTime: 0,
})

export function useSetToolSavers() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (savedBy: ToolSavers) =>
      api('PUT /api/admin/tool-steps', { body: { savedBy }, reply: toolSaving }),
    meta: { failure: 'Failed to set who may save steps that call services' },
    onSuccess: (state) => client.setQueryData(toolSavingQuery.queryKey, state),
  })
}

export const schedulerQuery = queryOptions({
  queryKey: ['admin', 'schedules'],
  queryFn: ({ signal }) => api('GET /api/admin/schedules', { reply: schedulerState, signal }),
  gcTime: 0,
  refetchInterval: SCHEDULES_POLL_MS,
})

export function usePauseSchedules() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (paused: boolean) =>
      api('POST /api/admin/schedules', { body: { paused }, reply: schedulerState }),
    meta: { failure: 'Failed to pause the schedules' },
    onSuccess: (state) => client.setQueryData(schedulerQuery.queryKey, state),
  })
}

export const retentionQuery = queryOptions({
  queryKey: ['admin', 'retention'],
  queryFn: ({ signal }) => api('GET /api/admin/retention', { reply: retentionState, signal }),
  gcTime: 0,
})

export function useSetRetention() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: RetentionSettings) => api('PUT /api/admin/retention', { body, reply: retentionState }),
    meta: { failure: false },
    onSuccess: (state) => client.setQueryData(retentionQuery.queryKey, state),
  })
}

export function useTestMail() {
  return useMutation({
    mutationFn: () => api('POST /api/admin/mail/test', { reply: mailTest }),
    meta: { failure: false },
  })
}

export const usersQuery = queryOptions({
  queryKey: ['admin', 'users'],
  queryFn: ({ signal }) => api('GET /api/admin/users', { list: managedUser, signal }),
  gcTime: 0,
})

export function useUpdateUser() {
  const client = useQueryClient()
  const own = useSession().user
  return useMutation({
    mutationFn: ({ id, ...body }: UpdateUserRequest & { id: number }) =>
      api('PATCH /api/admin/users/{id}', { params: { id }, body, reply: managedUser }),
    meta: { failure: 'Failed to update user' },
    onSuccess: (updated: ManagedUser) => {
      client.setQueryData(usersQuery.queryKey, (users) =>
        users?.map((user) => (user.id === updated.id ? updated : user)),
      )
      return own?.id === updated.id ? client.invalidateQueries({ queryKey: ['session'] }) : undefined
    },
  })
}

export const checksQuery = queryOptions({
  queryKey: ['admin', 'checks'],
  queryFn: ({ signal }) => api('GET /api/admin/checks', { reply: z.array(systemCheck), signal }),
})

export function runCheck({
  name,
  signal,
}: {
  name: string
  signal: AbortSignal
}): Promise<SystemCheckResult> {
  return api('GET /api/admin/checks/{name}', { params: { name }, reply: systemCheckResult, signal })
}
