import { instance } from '@catenary/contracts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { api } from './api.ts'
import { servedData } from './page-data.ts'

/** Until when a move of the database is over is looked for. */
const READ_ONLY_POLL_MS = 10_000

/** What this installation can do: models, sandbox, registration. */
const instanceQuery = queryOptions({
  queryKey: ['instance'],
  queryFn: ({ signal }) => api('GET /api/instance', { reply: instance, signal }),
  initialData: servedData?.instance,
  refetchInterval: ({ state }) => (state.data?.readOnly ? READ_ONLY_POLL_MS : false),
})

/** Whether a newcomer can make an account. */
export function useCanRegister(): boolean {
  return useInstance()?.registration !== 'closed'
}

/** The installation, undefined until known. */
export function useInstance() {
  return useQuery(instanceQuery).data
}
