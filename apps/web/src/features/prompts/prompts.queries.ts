import {
  isWhole,
  type ListedPrompt,
  listedPrompt,
  listedPromptVersion,
  type Ownership,
  type Prompt,
  type PromptSort,
  prompt,
  promptVersion,
  type SavePromptRequest,
} from '@catenary/contracts'
import {
  type InfiniteData,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { api, type QueryOf } from '../../lib/api.ts'
import type { ListPage } from '../../lib/api-client.ts'
import { apiList } from '../../lib/lists.ts'

const ROOT = ['prompts'] as const
const TOGGLE = [...ROOT, 'toggle'] as const
/** Counts prompts, so it changes with them. */
const CATEGORIES = ['categories'] as const

export interface PromptFilter {
  search: string
  categoryId: number | null
  tagIds: readonly number[]
  ownership: Ownership
  sort: PromptSort
}

const UNFILTERED: PromptFilter = {
  search: '',
  categoryId: null,
  tagIds: [],
  ownership: 'all',
  sort: 'updated',
}

export function promptsQuery({ search, categoryId, tagIds, ownership, sort }: PromptFilter = UNFILTERED) {
  return listOf({
    ...(search.trim() !== '' && { search: search.trim() }),
    ...(categoryId !== null && { categoryId }),
    ...(tagIds.length > 0 && { tagIds: tagIds.join(',') }),
    ...(ownership !== 'all' && { ownership }),
    ...(sort !== 'updated' && { sort }),
  })
}

export function promptsByTitleQuery(title: string) {
  return listOf({ search: title, searchIn: 'title', sort: 'title', limit: 100 })
}

function listOf(query: QueryOf<'GET /api/prompts'>) {
  return apiList('GET /api/prompts', { queryKey: [...ROOT, 'list', query], query, list: listedPrompt })
}

export function promptQuery(id: number) {
  return queryOptions({
    queryKey: [...ROOT, 'one', id],
    queryFn: ({ signal }) => api('GET /api/prompts/{id}', { params: { id }, reply: prompt, signal }),
  })
}

/** Gives a listed prompt's whole content, at once where the list shows all of it. */
export function useReadContent() {
  const queryClient = useQueryClient()
  return (listed: ListedPrompt): string | Promise<string> =>
    isWhole(listed)
      ? listed.content
      : queryClient.fetchQuery({ ...promptQuery(listed.id), staleTime: 0 }).then(({ content }) => content)
}

export function promptVersionsQuery(id: number) {
  return queryOptions({
    queryKey: [...ROOT, 'versions', id],
    queryFn: ({ signal }) =>
      api('GET /api/prompts/{id}/versions', { params: { id }, list: listedPromptVersion, signal }),
    gcTime: 0,
  })
}

export function promptVersionQuery(params: { id: number; number: number }) {
  return queryOptions({
    queryKey: [...ROOT, 'versions', params.id, params.number],
    queryFn: ({ signal }) =>
      api('GET /api/prompts/{id}/versions/{number}', { params, reply: promptVersion, signal }),
  })
}

export function useCreatePrompt() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: SavePromptRequest): Promise<Prompt> =>
      api('POST /api/prompts', { body, created: prompt }),
    onSuccess: () => refreshPrompts(queryClient),
    meta: { failure: 'Failed to create prompt' },
  })
}

export interface UpdatePrompt {
  id: number
  body: SavePromptRequest
  isPublic: boolean
  /** Called between the two calls: from here on the stored revision is this one. */
  onSaved: (saved: Prompt) => void
}

export function useUpdatePrompt() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async ({ id, body, isPublic, onSaved }: UpdatePrompt): Promise<Prompt> => {
      onSaved(await api('PUT /api/prompts/{id}', { params: { id }, body, reply: prompt }))
      const sharedLevel = isPublic ? 'public' : 'private'
      return api('PATCH /api/prompts/{id}/share', { params: { id }, body: { sharedLevel }, reply: prompt })
    },
    onSuccess: (stored) => {
      changeListed({ queryClient, id: stored.id, change: stored })
      refreshPrompts(queryClient)
    },
    meta: { failure: false },
  })
}

export function useSaveText() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id, body }: { id: number; body: SavePromptRequest }): Promise<Prompt> =>
      api('PUT /api/prompts/{id}', { params: { id }, body, reply: prompt }),
    onSuccess: (saved) => queryClient.setQueryData(promptQuery(saved.id).queryKey, saved),
    // A refused one means that someone else saved.
    onSettled: () => refreshPrompts(queryClient),
    meta: { failure: false },
  })
}

export function useRestorePrompt() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({
      id,
      number,
      revision,
    }: {
      id: number
      number: number
      revision: number
    }): Promise<Prompt> =>
      api('POST /api/prompts/{id}/versions/{number}/restore', {
        params: { id, number },
        body: { revision },
        reply: prompt,
      }),
    // A refused one means that there are versions which the list doesn't show.
    onSettled: () => refreshPrompts(queryClient),
    meta: { failure: false },
  })
}

export function useTogglePrompt() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationKey: TOGGLE,
    mutationFn: ({ id, isActive }: { id: number; isActive: boolean }): Promise<Prompt> =>
      api('PATCH /api/prompts/{id}/toggle', { params: { id }, body: { isActive }, reply: prompt }),
    onMutate: async ({ id, isActive }) => {
      await queryClient.cancelQueries({ queryKey: ROOT })
      changeListed({ queryClient, id, change: { isActive } })
    },
    onError: (_error, { id, isActive }) => changeListed({ queryClient, id, change: { isActive: !isActive } }),
    onSettled: () => {
      // Another switch is still on its way: its own end refreshes, an earlier answer would undo it.
      const isLast = queryClient.isMutating({ mutationKey: TOGGLE }) <= 1
      if (isLast) void queryClient.invalidateQueries({ queryKey: ROOT })
    },
    meta: { failure: false },
  })
}

export function useDuplicatePrompt() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (id: number): Promise<Prompt> =>
      api('POST /api/prompts/{id}/duplicate', { params: { id }, created: prompt }),
    onSuccess: () => refreshPrompts(queryClient),
    meta: { failure: 'Failed to duplicate prompt' },
  })
}

export function useDeletePrompt() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => api('DELETE /api/prompts/{id}', { params: { id } }),
    onSuccess: () => refreshPrompts(queryClient),
    meta: { failure: 'Failed to delete prompt' },
  })
}

/** Not awaited: a dialog closes when the write is done, not when the list is there again. */
function refreshPrompts(queryClient: QueryClient): void {
  void queryClient.invalidateQueries({ queryKey: ROOT })
  void queryClient.invalidateQueries({ queryKey: CATEGORIES })
}

/** Shows a change in every list at hand, ahead of the answer or of the next reading. */
function changeListed({
  queryClient,
  id,
  change,
}: {
  queryClient: QueryClient
  id: number
  change: Partial<ListedPrompt>
}): void {
  queryClient.setQueriesData<InfiniteData<ListPage<ListedPrompt>>>(
    { queryKey: [...ROOT, 'list'] },
    (data) => {
      const changed = (page: ListPage<ListedPrompt>) => ({
        ...page,
        items: page.items.map((prompt) => (prompt.id === id ? { ...prompt, ...change } : prompt)),
      })
      return data && { ...data, pages: data.pages.map(changed) }
    },
  )
}
