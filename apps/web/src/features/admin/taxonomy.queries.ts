import { type TaxonomyKind, type TaxonomyEntry, taxonomyEntry } from '@catenary/contracts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { readAll, write } from '../../lib/api-client.ts'

const pathOf = (kind: TaxonomyKind) => `/api/admin/labels/${kind}`

/** All categories, or all tags of a kind, by name. */
export function taxonomyQuery(kind: TaxonomyKind) {
  return queryOptions({
    queryKey: ['admin', 'labels', kind],
    queryFn: ({ signal }) => readAll({ path: pathOf(kind), schema: taxonomyEntry, signal }),
    select: (labels) => labels.toSorted((a, b) => a.name.localeCompare(b.name)),
    gcTime: 0,
  })
}

interface EntryChange {
  kind: TaxonomyKind
  label: TaxonomyEntry
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
  return useEntryChange(({ kind, label, name }: EntryChange & { name: string }) =>
    write({ method: 'PATCH', path: `${pathOf(kind)}/${label.id}`, body: { name }, schema: taxonomyEntry }),
  )
}

/** What has the label has the other one afterwards. */
export function useMergeEntry() {
  return useEntryChange(({ kind, label, into }: EntryChange & { into: number }) =>
    write({
      method: 'POST',
      path: `${pathOf(kind)}/${label.id}/merge`,
      body: { into },
      schema: taxonomyEntry,
    }),
  )
}

export function useDeleteEntry() {
  return useEntryChange(({ kind, label }: EntryChange) =>
    write({ method: 'DELETE', path: `${pathOf(kind)}/${label.id}` }),
  )
}
