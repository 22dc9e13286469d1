import {
  type ExecuteChainRequest,
  HISTORY_PAGE,
  isWhole,
  type ListedRunStep,
  type RunStep,
  runStep,
  runWatchEvents,
  type SeenChainRun,
  type SeenLatestRun,
  seenChainRun,
  seenLatestRun,
  seenRun,
  seenRunState,
  startedRun,
} from '@catenary/contracts'
import {
  type InfiniteData,
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import * as z from 'zod'
import { api, apiPage, apiSend, apiStream } from '../../../lib/api.ts'
import type { RatedRuns } from '../../runs/rating/rated-filter.tsx'

const ROOT = ['executions'] as const
const RUNNING_POLL_MS = 2000
/** A reply without an id is reported, not ignored. */
const maybeStarted = startedRun.pick({ id: true }).partial()

export function chainHistoryQuery(chainId: number, rated: RatedRuns = null) {
  return infiniteQueryOptions({
    queryKey: [...ROOT, 'chain', chainId, ...(rated === null ? [] : ['rated', rated])],
    queryFn: ({ pageParam, signal }) => readHistory({ chainId, rated, before: pageParam, signal }),
    initialPageParam: null as number | null,
    getNextPageParam: (page) => (page.length < HISTORY_PAGE ? null : (page.at(-1)?.id ?? null)),
  })
}

/** What waits for a person may do so for days. */
const isMoving = ({
  status,
  waitingFor,
}: Pick<SeenChainRun | SeenLatestRun, 'status' | 'waitingFor'>): boolean =>
  status === 'running' && waitingFor == null

export function newestRunsQuery({ chainId, queryClient }: { chainId: number; queryClient: QueryClient }) {
  return queryOptions({
    queryKey: [...ROOT, 'newest', chainId],
    queryFn: () => refreshHistory({ chainId, queryClient }),
    gcTime: 0,
    refetchInterval: ({ state }) => (state.data?.some(isMoving) ? RUNNING_POLL_MS : false),
  })
}

export function runQuery(id: number) {
  return queryOptions({
    queryKey: [...ROOT, 'run', id],
    queryFn: ({ signal }) => api('GET /api/executions/{id}', { params: { id }, reply: seenRun, signal }),
    // A run goes on, and a failed one may be resumed.
    staleTime: 0,
  })
}

const LATEST_MS = 5_000

export const latestChainRunsQuery = queryOptions({
  queryKey: [...ROOT, 'latest'],
  queryFn: ({ signal }) => api('GET /api/latest-chain-runs', { reply: z.array(seenLatestRun), signal }),
  refetchInterval: ({ state: { data } }) => (data?.some(isMoving) ? LATEST_MS : false),
})

function runStepQuery({ id, position }: { id: number; position: number }) {
  return queryOptions({
    queryKey: [...ROOT, 'run', id, position],
    queryFn: ({ signal }) =>
      api('GET /api/executions/{id}/steps/{position}', { params: { id, position }, reply: runStep, signal }),
  })
}

export function useWholeStep({
  id,
  step,
}: {
  id: number
  step: ListedRunStep | undefined
}): RunStep | undefined {
  const isClipped = step?.contentClipped === true
  const { data } = useQuery({
    ...runStepQuery({ id, position: step?.position ?? 0 }),
    enabled: isClipped,
  })
  return step === undefined || isWhole(step) ? step : data
}

export function readRunState({ id, signal }: { id: number; signal: AbortSignal }) {
  return api('GET /api/executions/{id}/status', { params: { id }, reply: seenRunState, signal })
}

export function watchRun({ id, signal }: { id: number; signal: AbortSignal }) {
  return apiStream('GET /api/executions/{id}/events', { params: { id }, events: runWatchEvents, signal })
}

export function useExecuteChain(chainId: number) {
  return useMutation({
    mutationFn: async (body: ExecuteChainRequest) => {
      const reply = await apiSend('POST /api/chains/{id}/execute', { params: { id: chainId }, body })
      return maybeStarted.safeParse(reply).data
    },
    meta: { failure: false },
  })
}

export interface ResumedRun {
  id: number
  model?: string | undefined
  fills?: readonly string[] | undefined
  sends?: readonly string[] | undefined
}

export function useResumeRun() {
  return useMutation({
    mutationFn: ({ id, model, fills, sends }: ResumedRun) =>
      apiSend('POST /api/executions/{id}/resume', {
        params: { id },
        ...((model || fills || sends) && {
          body: {
            ...(model && { model }),
            ...(fills && { fills: [...fills] }),
            ...(sends && { sends: [...sends] }),
          },
        }),
      }),
    meta: { failure: false },
  })
}

interface RetriedItems {
  id: number
  position: number
  fills?: readonly string[] | undefined
}

/** Runs the items of a step again that failed. */
export function useRetryItems() {
  return useMutation({
    mutationFn: ({ id, position, fills }: RetriedItems) =>
      apiSend('POST /api/executions/{id}/steps/{position}/retry-items', {
        params: { id, position },
        ...(fills && { body: { fills: [...fills] } }),
      }),
    meta: { failure: false },
  })
}

export function useCancelRun() {
  return useMutation({
    mutationFn: (id: number) => apiSend('POST /api/executions/{id}/cancel', { params: { id } }),
    meta: { failure: false },
  })
}

export function useDeleteRun(chainId: number) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => api('DELETE /api/executions/{id}', { params: { id } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: chainHistoryQuery(chainId).queryKey }),
    meta: { failure: 'Failed to delete execution' },
  })
}

/** Fetches the newest runs and puts them before those that are shown: pages that were opened stay. */
export async function refreshHistory({
  chainId,
  queryClient,
}: {
  chainId: number
  queryClient: QueryClient
}): Promise<SeenChainRun[]> {
  const { queryKey } = chainHistoryQuery(chainId)
  const newest = await readHistory({ chainId, before: null })
  queryClient.setQueryData(queryKey, (shown) => shown && merge({ shown, newest }))
  return newest
}

interface ReadHistory {
  chainId: number
  rated?: RatedRuns
  before: number | null
  signal?: AbortSignal
}

async function readHistory({ chainId, rated, before, signal }: ReadHistory): Promise<SeenChainRun[]> {
  const { items } = await apiPage('GET /api/chains/{id}/executions', {
    params: { id: chainId },
    query: { limit: HISTORY_PAGE, rated: rated ?? undefined, before: before ?? undefined },
    list: seenChainRun,
    signal,
  })
  return items
}

type Shown = InfiniteData<SeenChainRun[]>

function merge({ shown, newest }: { shown: Shown; newest: SeenChainRun[] }): Shown {
  const [first = [], ...older] = shown.pages
  const oldest = newest.at(-1)?.id ?? 0
  const isWhole = newest.length < HISTORY_PAGE
  return {
    ...shown,
    pages: [isWhole ? newest : [...newest, ...first.filter(({ id }) => id < oldest)], ...older],
  }
}
