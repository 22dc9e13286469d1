import { type TaxonomyEntry, type TaxonomyKind, taxonomyEntry } from '@catenary/contracts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { readAll, write } from '../../../lib/api-client.ts'

const pathOf = (kind: TaxonomyKind) => `/api/admin/labels/${kind}`

/** All categories, or all tags of a kind, by name. */
export function taxonomyQuery(kind: TaxonomyKind) {
  return queryOptions({
    queryKey: ['admin', 'labels', kind],
    queryFn: ({ signal }) => readAll({ path: pathOf(kind), schema: taxonomyEntry, signal }),
    select: (entries) => entries.toSorted((a, b) => a.name.localeCompare(b.name)),
    gcTime: 0,
  })
}

interface EntryChange {
  kind: TaxonomyKind
  entry: TaxonomyEntry
}

/** Whatever is shown may name it. */
function useEntryChange<Change, Result>(mutationFn: (change: Change) => Promise<Result>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn,
    onSuccess: () => client.invalidateQueries(),
    meta: { failure: false },
  })
}

export function useRenameEntry() {
  return useEntryChange(({ kind, entry, name }: EntryChange & { name: string }) =>
    write({ method: 'PATCH', path: `${pathOf(kind)}/${entry.id}`, body: { name }, schema: taxonomyEntry }),
  )
}

/** Everything that has the entry gets the other one. */
export function useMergeEntry() {
  return useEntryChange(({ kind, entry, into }: EntryChange & { into: number }) =>
    write({
      method: 'POST',
      path: `${pathOf(kind)}/${entry.id}/merge`,
      body: { into },
      schema: taxonomyEntry,
    }),
  )
}

export function useDeleteEntry() {
  return useEntryChange(({ kind, entry }: EntryChange) =>
    write({ method: 'DELETE', path: `${pathOf(kind)}/${entry.id}` }),
  )
}
