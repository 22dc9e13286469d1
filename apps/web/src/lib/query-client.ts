import {
  type InvalidateOptions,
  type InvalidateQueryFilters,
  MutationCache,
  QueryClient,
  type QueryKey,
} from '@tanstack/react-query'
import { ApiError, errorMessage, errorReason } from './errors.ts'
import { toast } from './toast.ts'

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: {
      /** Sentence before the reason in the toast, such as 'Failed to create category'; false: the caller shows the error. */
      failure?: string | false
    }
  }
}

const UNAVAILABLE = 503

class ReadingClient extends QueryClient {
  /** What was asked for before a change may be answered with what stood before it: it is asked again. */
  override invalidateQueries<Key extends QueryKey = QueryKey>(
    filters?: InvalidateQueryFilters<Key>,
    options: InvalidateOptions = {},
  ): Promise<void> {
    if (options.cancelRefetch === false) return super.invalidateQueries(filters, options)
    for (const query of this.getQueryCache().findAll({ ...filters, fetchStatus: 'fetching' })) {
      // The library does so itself for others.
      if (query.state.data !== undefined && query.isActive()) continue
      void query.cancel({ silent: true })
      query.fetch().catch(() => undefined)
    }
    return super.invalidateQueries(filters, options)
  }
}

/** Reads never retry, refetch on focus, poll or go stale; a failed write is reported once. */
export function createQueryClient(): QueryClient {
  const client: QueryClient = new ReadingClient({
    mutationCache: new MutationCache({
      onError(error, _variables, _onMutateResult, mutation) {
        // A banner says already that nothing can be written.
        if (error instanceof ApiError && error.status === UNAVAILABLE) {
          void client.invalidateQueries({ queryKey: ['instance'] })
        }
        const failure = mutation.meta?.failure
        if (failure === false) return
        const description = failure ? `${failure}: ${errorReason(error)}` : errorMessage(error)
        toast({ title: 'Error', description, variant: 'destructive' })
      },
    }),
    defaultOptions: {
      queries: {
        retry: false,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        refetchInterval: false,
        staleTime: Number.POSITIVE_INFINITY,
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
  return client
}
