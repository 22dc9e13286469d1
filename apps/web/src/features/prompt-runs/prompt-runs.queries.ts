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
/** How often a history with a run under way is polled. */
const RUNNING_POLL_MS = 2000

/** The key of a prompt's history. */
export function historyKey(promptId: number) {
  return [...ROOT, promptId] as const
}

/** The runs of a prompt, newest first, a page at a time; all, or those that the person rated so. */
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

/** Fetches a listed run with its whole texts. */
export function useReadRun(promptId: number) {
  const queryClient = useQueryClient()
  return async (listed: ListedPromptRun): Promise<PromptRun> =>
    isWhole(listed) ? listed : queryClient.fetchQuery(promptRunQuery({ ...listed, promptId }))
}

/** The newest versions, with what their authors said about them. */
export function versionNotesQuery({
  promptId,
  newest,
  limit,
}: {
  promptId: number
  /** A different one is a different list. */
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

/** Gives a stored version with its whole text. */
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

/** Deletes one run. */
export function useDeleteRun(promptId: number) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => api('DELETE /api/executions/{id}', { params: { id } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: historyKey(promptId) }),
    meta: { failure: 'Failed to delete execution' },
  })
}

/** Deletes the person's own runs of a prompt. */
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

/** Fetches what is shown of variables again. */
export function useFetchContents() {
  const queryClient = useQueryClient()
  return () => void queryClient.invalidateQueries({ queryKey: CONTENTS })
}

/** Fetches what the address of an API variable gives now. */
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

/** Yields the events of a run that was started before. */
export function watchPromptRun({ id, signal }: { id: number; signal: AbortSignal }) {
  return apiStream('GET /api/executions/{id}/events', { params: { id }, events: runWatchEvents, signal })
}

/** A run as it is now, with its whole texts. */
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

/** Stops a run. */
export function stopRun(id: number): Promise<unknown> {
  return apiSend('POST /api/executions/{id}/cancel', { params: { id } })
}
