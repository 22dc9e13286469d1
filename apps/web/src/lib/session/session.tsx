import { type User, user } from '@catenary/contracts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { read } from '../api-client.ts'
import { logEvent } from '../diagnostics.ts'
import { ApiError } from '../errors.ts'
import { servedData } from '../page-data.ts'

/** Reads the session; null: not signed in, as far as known. */
export async function readUser(signal?: AbortSignal): Promise<User | null> {
  try {
    return await read({ path: '/api/user', schema: user.nullable(), signal })
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 401)) {
      logEvent('session', { message: 'Failed to fetch user', error: String(error) }, 'warn')
    }
    return null
  }
}

/** The signed-in person; null when anonymous. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => readUser(signal),
  // A cached null, so that a guest's page asks nothing.
  initialData: servedData?.guest === true ? null : undefined,
})

export interface Session {
  status: 'loading' | 'signed-in' | 'anonymous'
  user: User | null
  isAdmin: boolean
}

/** Who uses this page. */
export function useSession(): Session {
  const { data, isPending } = useQuery(sessionQuery)
  const user = data ?? null
  const status = isPending ? 'loading' : user ? 'signed-in' : 'anonymous'
  return { status, user, isAdmin: user?.role === 'admin' }
}
