import {
  type CellStatus,
  type Evaluation,
  evaluation,
  evaluationCellDetail,
  evaluationForecast,
  listedEvaluation,
  listedTestSuite,
  type StartEvaluationRequest,
  versionLabels,
} from '@catenary/contracts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import * as z from 'zod'
import { read, readAll, write } from '../../lib/api-client.ts'
import { ApiError } from '../../lib/errors.ts'
import { useRefreshingWrite } from '../../lib/use-refreshing-write.ts'

const ROOT = ['evaluations'] as const
/** While cells are under way. */
const LOOK_MS = 1_500

export interface EvaluatedRecord {
  kind: 'prompt' | 'chain'
  id: number
}

const isUnderWay = (status: Evaluation['status'] | undefined) => status === 'running'

/** One with all of its cells, as they end. */
export function evaluationQuery(id: number) {
  return queryOptions({
    queryKey: [...ROOT, 'one', id],
    queryFn: ({ signal }) => read({ path: `/api/evaluations/${id}`, schema: evaluation, signal }),
    // Cells end without an action of this page.
    staleTime: 0,
    refetchInterval: ({ state }) => (isUnderWay(state.data?.status) ? LOOK_MS : false),
  })
}

/** Those of a prompt or chain, newest first. */
export function evaluationsQuery({ kind, id }: EvaluatedRecord) {
  return queryOptions({
    queryKey: [...ROOT, 'of', kind, id],
    queryFn: ({ signal }) =>
      readAll({ path: `/api/evaluations?${kind}Id=${id}`, schema: listedEvaluation, signal }),
    staleTime: 0,
  })
}

/** What can be evaluated of a prompt or chain: its suites, and its versions with their labels, newest first. */
export function evaluableQuery({ kind, id }: EvaluatedRecord) {
  const path = `/api/${kind}s/${id}`
  return queryOptions({
    queryKey: [...ROOT, 'evaluable', kind, id],
    queryFn: async ({ signal }) => {
      const suites = await read({ path: `${path}/test-suites`, schema: z.array(listedTestSuite), signal })
      const { latest, labels } = await read({ path: `${path}/labels`, schema: versionLabels, signal })
      const numbers = new Map([[latest, '']])
      const kept = await readAll({ path: `${path}/versions`, schema: notedVersion, signal }).catch(
        unlessForbidden,
      )
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

const notedVersion = z.object({ number: z.int(), note: z.string() })

/** Older versions are for editors of the record; others evaluate the newest. */
function unlessForbidden(error: unknown): z.infer<typeof notedVersion>[] {
  if (error instanceof ApiError && error.status === 403) return []
  throw error
}

interface WantedCell {
  evaluationId: number
  casePosition: number
  targetPosition: number
  /** The known revision: another one is fetched again. */
  status: CellStatus | undefined
}

/** What was found in the answer of one cell. */
export function cellQuery({ evaluationId, casePosition, targetPosition, status }: WantedCell) {
  return queryOptions({
    queryKey: [...ROOT, 'cell', evaluationId, casePosition, targetPosition, status],
    queryFn: ({ signal }) =>
      read({
        path: `/api/evaluations/${evaluationId}/cells/${casePosition}/${targetPosition}`,
        schema: evaluationCellDetail,
        signal,
      }),
  })
}

type EstimateBody = Pick<StartEvaluationRequest, 'suiteId' | 'targets' | 'judgeModel' | 'reuse'>

/** What it would cost. */
export function estimateQuery(body: EstimateBody) {
  return queryOptions({
    queryKey: [...ROOT, 'estimate', body],
    queryFn: ({ signal }) =>
      write({ method: 'POST', path: '/api/evaluations/estimate', body, schema: evaluationForecast, signal }),
    enabled: body.targets.length > 0,
    staleTime: 0,
    placeholderData: keepPreviousData,
  })
}

/** Freezes cases and targets, and begins. The caller tells the person about a failure. */
export function useStartEvaluation() {
  return useRefreshingWrite(ROOT, (body: StartEvaluationRequest) =>
    write({ method: 'POST', path: '/api/evaluations', body, schema: evaluation }),
  )
}

/** No further cell begins. The caller tells the person about a failure. */
export function useStopEvaluation() {
  return useRefreshingWrite(ROOT, (id: number) =>
    write({ method: 'POST', path: `/api/evaluations/${id}/stop`, schema: evaluation }),
  )
}

/** Resumes with the remaining cells. The caller tells the person about a failure. */
export function useResumeEvaluation() {
  return useRefreshingWrite(ROOT, ({ id, ceilingUsd }: { id: number; ceilingUsd?: number | undefined }) =>
    write({
      method: 'POST',
      path: `/api/evaluations/${id}/resume`,
      ...(ceilingUsd === undefined ? {} : { body: { ceilingUsd } }),
      schema: evaluation,
    }),
  )
}

/** With its runs. The caller tells the person about a failure. */
export function useDeleteEvaluation() {
  return useRefreshingWrite(ROOT, (id: number) => write({ method: 'DELETE', path: `/api/evaluations/${id}` }))
}
