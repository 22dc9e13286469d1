import {
  type ExecutePromptRequest,
  executeEvents,
  HISTORY_PAGE,
  isWhole,
  type ListedPromptRun,
  listedPromptRun,
  listedPromptVersion,
  type PromptRun,
  type PromptVersion,
  promptRun,
  promptVersion,
  proxyReply,
  type Rating,
  runWatchEvents,
  variableContent,
} from '@catenary/contracts'
import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, apiPage, apiSend, apiStream } from '../../lib/api.ts'

const ROOT = ['executions'] as const
const CONTENTS = ['variables', 'content'] as const
const RUNNING_POLL_MS = 2000

export function historyKey(promptId: number) {
  return [...ROOT, promptId] as const
}

export function historyQuery(promptId: number, rated: Rating['thumb'] = null) {
  const query = { limit: HISTORY_PAGE, rated: rated ?? undefined }
  return infiniteQueryOptions({
    queryKey: rated === null ? historyKey(promptId) : [...historyKey(promptId), 'rated', rated],
    queryFn: ({ pageParam, signal }) =>
      apiPage('GET /api/prompts/{id}/executions', {
        params: { id: promptId },
        query,
        list: listedPromptRun,
        cursor: pageParam,
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ items }) => items.some(({ status }) => status === 'running'))
        ? RUNNING_POLL_MS
        : false,
  })
}

/** A run of a prompt with its whole texts, as they are once it has come to that status. */
export function promptRunQuery({ promptId, id, status }: { promptId: number; id: number; status: string }) {
  return queryOptions({
    queryKey: [...historyKey(promptId), 'run', id, status],
    queryFn: ({ signal }) => readPromptRun({ promptId, id, signal }),
  })
}

export function useReadRun(promptId: number) {
  const queryClient = useQueryClient()
  return async (listed: ListedPromptRun): Promise<PromptRun> =>
    isWhole(listed) ? listed : queryClient.fetchQuery(promptRunQuery({ ...listed, promptId }))
}

export function versionNotesQuery({
  promptId,
  newest,
  limit,
}: {
  promptId: number
  newest: number
  limit: number
}) {
  return queryOptions({
    queryKey: ['prompts', 'version notes', promptId, newest],
    queryFn: async ({ signal }) => {
      const { items } = await apiPage('GET /api/prompts/{id}/versions', {
        params: { id: promptId },
        query: { limit },
        list: listedPromptVersion,
        signal,
      })
      return items
    },
  })
}

export function useReadVersion(promptId: number) {
  const queryClient = useQueryClient()
  return (number: number): Promise<PromptVersion> =>
    queryClient.fetchQuery({
      queryKey: ['prompts', 'version text', promptId, number],
      queryFn: ({ signal }) =>
        api('GET /api/prompts/{id}/versions/{number}', {
          params: { id: promptId, number },
          reply: promptVersion,
          signal,
        }),
    })
}

export function useDeleteRun(promptId: number) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => api('DELETE /api/executions/{id}', { params: { id } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: historyKey(promptId) }),
    meta: { failure: 'Failed to delete execution' },
  })
}

export function useClearHistory(promptId: number) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => api('DELETE /api/prompts/{id}/executions', { params: { id: promptId } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: historyKey(promptId) }),
    meta: { failure: 'Failed to delete execution' },
  })
}

/** The content of a variable that is not text, by its name; fetched each time it is needed. */
export function variableContentQuery(name: string) {
  return queryOptions({
    queryKey: [...CONTENTS, name],
    queryFn: ({ signal }) =>
      api('GET /api/variables/{idOrName}/content', {
        params: { idOrName: name },
        reply: variableContent,
        signal,
      }),
    gcTime: 0,
  })
}

export function useFetchContents() {
  const queryClient = useQueryClient()
  return () => void queryClient.invalidateQueries({ queryKey: CONTENTS })
}

export function fetchApi({ variableId, apiUrl: url }: { variableId: number; apiUrl: string }) {
  return api('GET /api/proxy', { query: { url, variableId }, reply: proxyReply })
}

/** Runs a prompt and yields its events; the run goes on without its reader. */
export function executePrompt({ request, signal }: { request: ExecutePromptRequest; signal: AbortSignal }) {
  return apiStream('POST /api/execute-prompt', {
    body: { ...request, goesOn: true },
    events: executeEvents,
    signal,
  })
}

export function watchPromptRun({ id, signal }: { id: number; signal: AbortSignal }) {
  return apiStream('GET /api/executions/{id}/events', { params: { id }, events: runWatchEvents, signal })
}

export function readPromptRun({
  promptId,
  id,
  signal,
}: {
  promptId: number
  id: number
  signal: AbortSignal
}): Promise<PromptRun> {
  return api('GET /api/prompts/{id}/executions/{executionId}', {
    params: { id: promptId, executionId: id },
    reply: promptRun,
    signal,
  })
}

export function stopRun(id: number): Promise<unknown> {
  return apiSend('POST /api/executions/{id}/cancel', { params: { id } })
}
