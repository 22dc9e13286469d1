import { type TaxonomyEntry, type TaxonomyKind, taxonomyEntry } from '@catenary/contracts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../lib/api.ts'

export function taxonomyQuery(kind: TaxonomyKind) {
  return queryOptions({
    queryKey: ['admin', 'labels', kind],
    queryFn: ({ signal }) =>
      api('GET /api/admin/labels/{kind}', { params: { kind }, list: taxonomyEntry, signal }),
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
    api('PATCH /api/admin/labels/{kind}/{id}', {
      params: { kind, id: entry.id },
      body: { name },
      reply: taxonomyEntry,
    }),
  )
}

/** Everything that has the entry gets the other one. */
export function useMergeEntry() {
  return useEntryChange(({ kind, entry, into }: EntryChange & { into: number }) =>
    api('POST /api/admin/labels/{kind}/{id}/merge', {
      params: { kind, id: entry.id },
      body: { into },
      reply: taxonomyEntry,
    }),
  )
}

export function useDeleteEntry() {
  return useEntryChange(({ kind, entry }: EntryChange) =>
    api('DELETE /api/admin/labels/{kind}/{id}', { params: { kind, id: entry.id } }),
  )
}
