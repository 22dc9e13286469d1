import { instance } from '@catenary/contracts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { api } from './api.ts'
import { servedData } from './page-data.ts'

const READ_ONLY_POLL_MS = 10_000

const instanceQuery = queryOptions({
  queryKey: ['instance'],
  queryFn: ({ signal }) => api('GET /api/instance', { reply: instance, signal }),
  initialData: servedData?.instance,
  refetchInterval: ({ state }) => (state.data?.readOnly ? READ_ONLY_POLL_MS : false),
})

export function useCanRegister(): boolean {
  return useInstance()?.registration !== 'closed'
}

export function useInstance() {
  return useQuery(instanceQuery).data
}
