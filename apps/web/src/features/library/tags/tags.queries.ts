import { searchTagReply, type Tag, type TagKind, tag } from '@catenary/contracts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../lib/api.ts'
import { ApiError } from '../../../lib/errors.ts'

const ALL = {
  prompt: 'GET /api/tags',
  variable: 'GET /api/variables/tags',
  chain: 'GET /api/chain-tags',
} as const
const SEARCH = {
  prompt: 'GET /api/tags/search',
  variable: 'GET /api/variables/tags/search',
  chain: 'GET /api/chain-tags/search',
} as const
const CREATE = {
  prompt: 'POST /api/tags',
  variable: 'POST /api/variables/tags',
  chain: 'POST /api/chain-tags',
} as const

export function tagsQuery(kind: TagKind) {
  return queryOptions({
    queryKey: ['tags', kind],
    queryFn: ({ signal }) => api(ALL[kind], { list: tag, signal }),
  })
}

export function useCreateTag(kind: TagKind) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (name: string) => findOrCreateTag({ kind, name }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['tags', kind] }),
    // The specification words it otherwise for chains.
    meta: { failure: kind !== 'chain' && 'Failed to add tag' },
  })
}

/** Searches first, creates if there is none, and searches again when someone else was faster. */
async function findOrCreateTag({ kind, name }: { kind: TagKind; name: string }): Promise<Tag> {
  const existing = await findTag({ kind, name })
  if (existing) return existing
  try {
    return await api(CREATE[kind], { body: { name }, created: tag })
  } catch (error) {
    const taken = error instanceof ApiError && error.status === 409
    const winner = taken ? await findTag({ kind, name }) : null
    if (winner) return winner
    throw error
  }
}

async function findTag({ kind, name }: { kind: TagKind; name: string }): Promise<Tag | null> {
  const found = tag.safeParse(await api(SEARCH[kind], { query: { name }, reply: searchTagReply }))
  return found.success ? found.data : null
}
