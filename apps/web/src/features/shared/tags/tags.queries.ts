import { searchTagReply, TAG_PATHS, type Tag, type TagKind, tag } from '@catenary/contracts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { read, readAll, write } from '../../../lib/api-client.ts'
import { ApiError } from '../../../lib/errors.ts'

/** All tags of a kind. */
export function tagsQuery(kind: TagKind) {
  return queryOptions({
    queryKey: ['tags', kind],
    queryFn: ({ signal }) => readAll({ path: TAG_PATHS[kind], schema: tag, signal }),
  })
}

/** Finds the tag of a name or creates it, and refetches the list. */
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
    return await write({ method: 'POST', path: TAG_PATHS[kind], body: { name }, schema: tag })
  } catch (error) {
    const taken = error instanceof ApiError && error.status === 409
    const winner = taken ? await findTag({ kind, name }) : null
    if (winner) return winner
    throw error
  }
}

async function findTag({ kind, name }: { kind: TagKind; name: string }): Promise<Tag | null> {
  const path = `${TAG_PATHS[kind]}/search?${new URLSearchParams({ name })}`
  const found = tag.safeParse(await read({ path, schema: searchTagReply }))
  return found.success ? found.data : null
}
