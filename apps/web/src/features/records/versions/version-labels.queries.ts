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
import * as z from 'zod'
import { api } from '../../../lib/api.ts'
import { apiList } from '../../../lib/lists.ts'
import type { Versioned } from './versioned.ts'

type Address = Pick<Versioned, 'kind' | 'id'>

const KEYS = {
  prompt: {
    labels: 'GET /api/prompts/{id}/labels',
    move: 'PUT /api/prompts/{id}/labels/{label}',
    remove: 'DELETE /api/prompts/{id}/labels/{label}',
    gate: 'GET /api/prompts/{id}/labels/{label}/gate',
    labelDependants: 'GET /api/prompts/{id}/labels/{label}/dependants',
    dependants: 'GET /api/prompts/{id}/dependants',
    moves: 'GET /api/prompts/{id}/label-moves',
    undo: 'POST /api/prompts/{id}/label-moves/{moveId}/undo',
    saveNote: 'PATCH /api/prompts/{id}/versions/{number}',
  },
  chain: {
    labels: 'GET /api/chains/{id}/labels',
    move: 'PUT /api/chains/{id}/labels/{label}',
    remove: 'DELETE /api/chains/{id}/labels/{label}',
    gate: 'GET /api/chains/{id}/labels/{label}/gate',
    labelDependants: 'GET /api/chains/{id}/labels/{label}/dependants',
    dependants: 'GET /api/chains/{id}/dependants',
    moves: 'GET /api/chains/{id}/label-moves',
    undo: 'POST /api/chains/{id}/label-moves/{moveId}/undo',
    saveNote: 'PATCH /api/chains/{id}/versions/{number}',
  },
} as const

const rootOf = ({ kind, id }: Address) => [`${kind}s`, 'versions', id] as const

export function labelsQuery({ kind, id }: Address) {
  return queryOptions({
    queryKey: [...rootOf({ kind, id }), 'labels'],
    queryFn: ({ signal }) => api(KEYS[kind].labels, { params: { id }, reply: versionLabels, signal }),
  })
}

export function labelMovesQuery({ kind, id }: Address) {
  const queryKey = [...rootOf({ kind, id }), 'moves']
  return apiList(KEYS[kind].moves, { queryKey, params: { id }, list: labelMove })
}

export function lastMoveQuery({ record, label }: { record: Address; label: string }) {
  return apiList(KEYS[record.kind].moves, {
    queryKey: [...rootOf(record), 'moves', label],
    params: { id: record.id },
    query: { label, limit: 1 },
    list: labelMove,
  })
}

export function liveAtQuery({ record, at }: { record: Address; at: string }) {
  return queryOptions({
    queryKey: [...rootOf(record), 'live', at],
    queryFn: ({ signal }) =>
      api(KEYS[record.kind].moves, { params: { id: record.id }, query: { at }, list: labelMove, signal }),
  })
}

export function dependantsQuery({ record, label }: { record: Address; label: string }) {
  return queryOptions({
    queryKey: [...rootOf(record), 'dependants', label],
    queryFn: ({ signal }) =>
      api(KEYS[record.kind].labelDependants, {
        params: { id: record.id, label },
        reply: labelDependants,
        signal,
      }),
    gcTime: 0,
  })
}

/** How much would end with a record; null: not the person's to know. */
export function recordDependantsQuery({ kind, id }: Address) {
  return queryOptions({
    queryKey: [...rootOf({ kind, id }), 'dependants'],
    queryFn: ({ signal }) => api(KEYS[kind].dependants, { params: { id }, reply: recordDependants, signal }),
    gcTime: 0,
    retry: false,
  })
}

export function gateQuery({ record, label, version }: { record: Address; label: string; version: number }) {
  return queryOptions({
    queryKey: [...rootOf(record), 'gate', label, version],
    queryFn: ({ signal }) =>
      api(KEYS[record.kind].gate, {
        params: { id: record.id, label },
        query: { version },
        reply: gateState,
        signal,
      }),
    gcTime: 0,
  })
}

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

export function versionTestsQuery({ kind, id }: Address) {
  return queryOptions({
    queryKey: [...rootOf({ kind, id }), 'tests'],
    queryFn: ({ signal }) =>
      api('GET /api/evaluations/versions', {
        query: kind === 'prompt' ? { promptId: id } : { chainId: id },
        reply: z.array(versionTests),
        signal,
      }),
    gcTime: 0,
  })
}

export function useMoveLabel(record: Address) {
  return useVersionsWrite(record, ({ label, body }: { label: string; body: MoveLabelRequest }) =>
    api(KEYS[record.kind].move, { params: { id: record.id, label }, body, reply: movedLabels }),
  )
}

export function useRemoveLabel(record: Address) {
  return useVersionsWrite(record, ({ label, version }: { label: string; version: number }) =>
    api(KEYS[record.kind].remove, {
      params: { id: record.id, label },
      query: { expectedVersion: version },
      reply: movedLabels,
    }),
  )
}

export function useUndoMove(record: Address) {
  return useVersionsWrite(record, (moveId: number) =>
    api(KEYS[record.kind].undo, { params: { id: record.id, moveId }, reply: movedLabels }),
  )
}

export function useSaveNote(record: Address) {
  return useVersionsWrite(record, ({ number, note }: { number: number; note: string }) =>
    api(KEYS[record.kind].saveNote, { params: { id: record.id, number }, body: { note } }),
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
