import {
  gateState,
  labelDependants,
  labelMove,
  type MoveLabelRequest,
  movedLabels,
  recordDependants,
  versionLabels,
  versionMetrics,
  versionTests,
} from '@catenary/contracts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../lib/api.ts'
import { read, readAll, write } from '../../../lib/api-client.ts'
import { listQuery } from '../../../lib/lists.ts'
import type { Versioned } from './versioned.ts'

type Address = Pick<Versioned, 'kind' | 'id'>

const pathOf = ({ kind, id }: Address) => `/api/${kind}s/${id}`
const rootOf = ({ kind, id }: Address) => [`${kind}s`, 'versions', id] as const
const labelPath = (record: Address, label: string) => `${pathOf(record)}/labels/${encodeURIComponent(label)}`

/** The version of each label, and who may move it. */
export function labelsQuery(record: Address) {
  return queryOptions({
    queryKey: [...rootOf(record), 'labels'],
    queryFn: ({ signal }) => read({ path: `${pathOf(record)}/labels`, schema: versionLabels, signal }),
  })
}

/** How its labels were moved, newest first, page after page. */
export function labelMovesQuery(record: Address) {
  return listQuery({
    queryKey: [...rootOf(record), 'moves'],
    path: `${pathOf(record)}/label-moves`,
    schema: labelMove,
  })
}

/** A label's last move, and how many it had. */
export function lastMoveQuery({ record, label }: { record: Address; label: string }) {
  const query = new URLSearchParams({ label, limit: '1' })
  return listQuery({
    queryKey: [...rootOf(record), 'moves', label],
    path: `${pathOf(record)}/label-moves?${query}`,
    schema: labelMove,
  })
}

/** The moves that had put labels where they were at a moment: what was live then. */
export function liveAtQuery({ record, at }: { record: Address; at: string }) {
  return queryOptions({
    queryKey: [...rootOf(record), 'live', at],
    queryFn: ({ signal }) => {
      const query = new URLSearchParams({ at })
      return readAll({ path: `${pathOf(record)}/label-moves?${query}`, schema: labelMove, signal })
    },
  })
}

/** What requests a label: chains, schedules, tokens. */
export function dependantsQuery({ record, label }: { record: Address; label: string }) {
  return queryOptions({
    queryKey: [...rootOf(record), 'dependants', label],
    queryFn: ({ signal }) =>
      read({ path: `${labelPath(record, label)}/dependants`, schema: labelDependants, signal }),
    gcTime: 0,
  })
}

/** How much would end with a record; null: not the person's to know. */
export function recordDependantsQuery(record: Address) {
  return queryOptions({
    queryKey: [...rootOf(record), 'dependants'],
    queryFn: ({ signal }) => read({ path: `${pathOf(record)}/dependants`, schema: recordDependants, signal }),
    gcTime: 0,
    retry: false,
  })
}

/** Whether a label may be moved onto a version, as far as its tests say. */
export function gateQuery({ record, label, version }: { record: Address; label: string; version: number }) {
  return queryOptions({
    queryKey: [...rootOf(record), 'gate', label, version],
    queryFn: ({ signal }) =>
      read({ path: `${labelPath(record, label)}/gate?version=${version}`, schema: gateState, signal }),
    gcTime: 0,
  })
}

/** Metrics of each version's runs. */
export function versionMetricsQuery({ kind, id }: Address) {
  return queryOptions({
    queryKey: [...rootOf({ kind, id }), 'figures'],
    queryFn: ({ signal }) =>
      api('GET /api/usage/versions', {
        query: kind === 'prompt' ? { promptId: id } : { chainId: id },
        reply: versionMetrics.array(),
        signal,
      }),
    gcTime: 0,
  })
}

/** Test results of each version. */
export function versionTestsQuery({ kind, id }: Address) {
  return queryOptions({
    queryKey: [...rootOf({ kind, id }), 'tests'],
    queryFn: ({ signal }) =>
      readAll({ path: `/api/evaluations/versions?${kind}Id=${id}`, schema: versionTests, signal }),
    gcTime: 0,
  })
}

/** Puts a label on a version. The caller tells the person about a failure. */
export function useMoveLabel(record: Address) {
  return useVersionsWrite(record, ({ label, body }: { label: string; body: MoveLabelRequest }) =>
    write({ method: 'PUT', path: labelPath(record, label), body, schema: movedLabels }),
  )
}

/** Takes a label away from the version that the person saw it on. The caller tells the person about a failure. */
export function useRemoveLabel(record: Address) {
  return useVersionsWrite(record, ({ label, version }: { label: string; version: number }) =>
    write({
      method: 'DELETE',
      path: `${labelPath(record, label)}?expectedVersion=${version}`,
      schema: movedLabels,
    }),
  )
}

/** Puts a label back to where a move took it from. The caller tells the person about a failure. */
export function useUndoMove(record: Address) {
  return useVersionsWrite(record, (moveId: number) =>
    write({
      method: 'POST',
      path: `${pathOf(record)}/label-moves/${moveId}/undo`,
      schema: movedLabels,
    }),
  )
}

/** Replaces a version's note. The caller tells the person about a failure. */
export function useSaveNote(record: Address) {
  return useVersionsWrite(record, ({ number, note }: { number: number; note: string }) =>
    write({ method: 'PATCH', path: `${pathOf(record)}/versions/${number}`, body: { note } }),
  )
}

/** Not awaited: a dialog closes when the write is done. */
function useVersionsWrite<Input, Output>({ kind }: Address, mutationFn: (input: Input) => Promise<Output>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn,
    // A refused one means that somebody was here meanwhile.
    onSettled: () => void queryClient.invalidateQueries({ queryKey: [`${kind}s`] }),
    meta: { failure: false },
  })
}
