import { type LabelKind, type ManagedLabel, managedLabel } from '@catenary/contracts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { readAll, write } from '../../lib/api-client.ts'

const pathOf = (kind: LabelKind) => `/api/admin/labels/${kind}`

/** All categories, or all tags of a kind, by name. */
export function labelsQuery(kind: LabelKind) {
  return queryOptions({
    queryKey: ['admin', 'labels', kind],
    queryFn: ({ signal }) => readAll({ path: pathOf(kind), schema: managedLabel, signal }),
    select: (labels) => labels.toSorted((a, b) => a.name.localeCompare(b.name)),
    gcTime: 0,
  })
}

interface LabelChange {
  kind: LabelKind
  label: ManagedLabel
}

/** Whatever is shown may name it. */
function useLabelChange<Change, Result>(mutationFn: (change: Change) => Promise<Result>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn,
    onSuccess: () => client.invalidateQueries(),
    meta: { failure: false },
  })
}

export function useRenameLabel() {
  return useLabelChange(({ kind, label, name }: LabelChange & { name: string }) =>
    write({ method: 'PATCH', path: `${pathOf(kind)}/${label.id}`, body: { name }, schema: managedLabel }),
  )
}

/** What has the label has the other one afterwards. */
export function useMergeLabel() {
  return useLabelChange(({ kind, label, into }: LabelChange & { into: number }) =>
    write({
      method: 'POST',
      path: `${pathOf(kind)}/${label.id}/merge`,
      body: { into },
      schema: managedLabel,
    }),
  )
}

export function useDeleteLabel() {
  return useLabelChange(({ kind, label }: LabelChange) =>
    write({ method: 'DELETE', path: `${pathOf(kind)}/${label.id}` }),
  )
}
