import {
  type CellStatus,
  type Evaluation,
  evaluation,
  evaluationCellDetail,
  evaluationForecast,
  listedChainVersion,
  listedEvaluation,
  listedPromptVersion,
  listedTestSuite,
  type StartEvaluationRequest,
  versionLabels,
} from '@catenary/contracts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import * as z from 'zod'
import { api } from '../../lib/api.ts'
import { ApiError } from '../../lib/errors.ts'
import { useRefreshingWrite } from '../../lib/use-refreshing-write.ts'

const ROOT = ['evaluations'] as const
const SUITES = {
  prompt: 'GET /api/prompts/{id}/test-suites',
  chain: 'GET /api/chains/{id}/test-suites',
} as const
const LABELS = { prompt: 'GET /api/prompts/{id}/labels', chain: 'GET /api/chains/{id}/labels' } as const
const POLL_MS = 1_500

export interface EvaluatedRecord {
  kind: 'prompt' | 'chain'
  id: number
}

const isRunning = (status: Evaluation['status'] | undefined) => status === 'running'

export function evaluationQuery(id: number) {
  return queryOptions({
    queryKey: [...ROOT, 'one', id],
    queryFn: ({ signal }) => api('GET /api/evaluations/{id}', { params: { id }, reply: evaluation, signal }),
    // Cells end without an action of this page.
    staleTime: 0,
    refetchInterval: ({ state }) => (isRunning(state.data?.status) ? POLL_MS : false),
  })
}

export function evaluationsQuery({ kind, id }: EvaluatedRecord) {
  return queryOptions({
    queryKey: [...ROOT, 'of', kind, id],
    queryFn: ({ signal }) =>
      api('GET /api/evaluations', {
        query: kind === 'prompt' ? { promptId: id } : { chainId: id },
        list: listedEvaluation,
        signal,
      }),
    staleTime: 0,
  })
}

export function evaluableQuery({ kind, id }: EvaluatedRecord) {
  const params = { id }
  return queryOptions({
    queryKey: [...ROOT, 'evaluable', kind, id],
    queryFn: async ({ signal }) => {
      const suites = await api(SUITES[kind], { params, reply: z.array(listedTestSuite), signal })
      const { latest, labels } = await api(LABELS[kind], { params, reply: versionLabels, signal })
      const numbers = new Map([[latest, '']])
      const kept = await readVersions({ kind, id, signal }).catch(unlessForbidden)
      for (const { number, note } of kept) numbers.set(number, note)
      const versions = [...numbers].map(([number, note]) => ({
        number,
        note,
        labels: labels.flatMap(({ label, version }) => (version === number ? label : [])),
      }))
      return { suites, versions: versions.toSorted((a, b) => b.number - a.number) }
    },
    staleTime: 0,
  })
}

interface NotedVersion {
  number: number
  note: string
}

function readVersions({
  kind,
  id,
  signal,
}: EvaluatedRecord & { signal: AbortSignal }): Promise<NotedVersion[]> {
  const call = { params: { id }, signal }
  return kind === 'prompt'
    ? api('GET /api/prompts/{id}/versions', { ...call, list: listedPromptVersion })
    : api('GET /api/chains/{id}/versions', { ...call, list: listedChainVersion })
}

/** Older versions are for editors of the record; others evaluate the newest. */
function unlessForbidden(error: unknown): NotedVersion[] {
  if (error instanceof ApiError && error.status === 403) return []
  throw error
}

interface WantedCell {
  evaluationId: number
  casePosition: number
  targetPosition: number
  status: CellStatus | undefined
}

export function cellQuery({ evaluationId, casePosition, targetPosition, status }: WantedCell) {
  return queryOptions({
    queryKey: [...ROOT, 'cell', evaluationId, casePosition, targetPosition, status],
    queryFn: ({ signal }) =>
      api('GET /api/evaluations/{id}/cells/{case}/{target}', {
        params: { id: evaluationId, case: casePosition, target: targetPosition },
        reply: evaluationCellDetail,
        signal,
      }),
  })
}

type EstimateBody = Pick<StartEvaluationRequest, 'suiteId' | 'targets' | 'judgeModel' | 'reuse'>

export function estimateQuery(body: EstimateBody) {
  return queryOptions({
    queryKey: [...ROOT, 'estimate', body],
    queryFn: ({ signal }) =>
      api('POST /api/evaluations/estimate', { body, reply: evaluationForecast, signal }),
    enabled: body.targets.length > 0,
    staleTime: 0,
    placeholderData: keepPreviousData,
  })
}

export function useStartEvaluation() {
  return useRefreshingWrite(ROOT, (body: StartEvaluationRequest) =>
    api('POST /api/evaluations', { body, created: evaluation }),
  )
}

export function useStopEvaluation() {
  return useRefreshingWrite(ROOT, (id: number) =>
    api('POST /api/evaluations/{id}/stop', { params: { id }, reply: evaluation }),
  )
}

export function useResumeEvaluation() {
  return useRefreshingWrite(ROOT, ({ id, ceilingUsd }: { id: number; ceilingUsd?: number | undefined }) =>
    api('POST /api/evaluations/{id}/resume', {
      params: { id },
      ...(ceilingUsd === undefined ? {} : { body: { ceilingUsd } }),
      reply: evaluation,
    }),
  )
}

export function useDeleteEvaluation() {
  return useRefreshingWrite(ROOT, (id: number) => api('DELETE /api/evaluations/{id}', { params: { id } }))
}
