import { type User, user } from '@catenary/contracts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { logEvent } from '../diagnostics.ts'
import { ApiError, isAbort } from '../errors.ts'
import { servedData } from '../page-data.ts'
import { noteServer, useServerAway } from './server-away.ts'

export async function readUser(signal?: AbortSignal): Promise<User | null> {
  try {
    const person = await api('GET /api/user', { reply: user, signal })
    noteServer(true)
    return person
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) {
      noteServer(true)
      return null
    }
    if (!isAbort(error)) {
      logEvent('session', { message: 'Failed to fetch user', error: String(error) }, 'warn')
      noteServer(false)
    }
    throw error
  }
}

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => readUser(signal),
  // A cached null, so that a guest's page asks nothing.
  initialData: servedData?.guest === true ? null : undefined,
})

export interface Session {
  /** `away`: the server did not say. */
  status: 'loading' | 'signed-in' | 'anonymous' | 'away'
  user: User | null
  isAdmin: boolean
}

export function useSession(): Session {
  const { data } = useQuery(sessionQuery)
  const isAway = useServerAway()
  const user = data ?? null
  const unknown = isAway ? 'away' : 'loading'
  const status = data === undefined ? unknown : user ? 'signed-in' : 'anonymous'
  return { status, user, isAdmin: user?.role === 'admin' }
}
