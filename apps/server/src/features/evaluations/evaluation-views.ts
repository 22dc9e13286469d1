import {
  CELL_REASON_MAX,
  type Evaluation,
  type EvaluationCell,
  type EvaluationCellDetail,
  type ListedEvaluation,
  type User,
} from '@catenary/contracts'
import { nanosToUsd, shortenText, sumKnown } from '@catenary/domain'
import type { RecordRights } from '../records/records.ts'
import { presenceStatusOf } from '../runs/runs.ts'
import type { CellRow, ListedCell } from './evaluation-cells.sql.ts'
import { canDeleteEvaluation, canResumeEvaluation, canStopEvaluation } from './evaluations.policy.ts'
import { type ListedRow, recordOf, type SeenEvaluation } from './evaluations.sql.ts'
import { describeGiven, type FrozenCase } from './frozen-cases.ts'

interface Shown {
  owned: SeenEvaluation
  cells: ListedCell[]
  viewer: User
  rights: RecordRights
  labels: Map<number, string[]>
  gates: string[]
  isCurrent: boolean
}

export function toListed(
  { evaluation, recordName, startedBy, spentNanos, isKept, cells, ...counts }: ListedRow,
  viewer: User,
): ListedEvaluation {
  const { id, suiteId, suiteName, status, stopReason, targets } = evaluation
  const { kind, id: recordId } = recordOf(evaluation)
  return {
    id,
    kind,
    recordId,
    recordName,
    suiteId,
    suiteName,
    status,
    stopReason,
    startedBy,
    targets: targets.map(({ version, model }) => ({ version, model })),
    cells,
    ...counts,
    isMine: evaluation.startedBy === viewer.id,
    startedAt: evaluation.createdAt.toISOString(),
    finishedAt: evaluation.finishedAt?.toISOString() ?? null,
    costUsd: nanosToUsd(spentNanos) ?? 0,
    ...(isKept && { ...presenceOf(evaluation), ended: null, passed: null, private: null }),
  }
}

const NOTHING = {
  score: null,
  reason: null,
  failing: 0,
  notRun: 0,
  durationMs: null,
  costUsd: null,
  executionId: null,
  reusedFrom: null,
}

/** All that others learn of a run that is kept from them (D68). */
const presenceOf = ({ createdAt }: Pick<ListedRow['evaluation'], 'createdAt'>) => ({
  status: presenceStatusOf(createdAt),
  stopReason: null,
  finishedAt: null,
  costUsd: null,
})

const costOf = ({ costNanos, judgeCostNanos }: CellRow): number | null =>
  nanosToUsd(sumKnown([costNanos, judgeCostNanos]))

const spentOn = (cell: CellRow): number => (cell.reusedFrom === null ? (costOf(cell) ?? 0) : 0)

const HAS_ENDED: ReadonlySet<CellRow['status']> = new Set(['passed', 'failed', 'not-run', 'error'])

interface Viewing {
  viewer: User
  isKept: boolean
}

/** Only the person who ran it can open its run; of a private one others get neither pass nor score nor reason (D59). */
function toCell({ cell, runBy, isOpen }: ListedCell, { viewer, isKept }: Viewing): EvaluationCell {
  const { casePosition, targetPosition, status, reason, grade, durationMs, reusedFrom } = cell
  const metrics = { casePosition, targetPosition, durationMs, reusedFrom, costUsd: costOf(cell) }
  if (isKept && !(isOpen && runBy === viewer.id)) {
    return { casePosition, targetPosition, status: 'private', ...NOTHING }
  }
  if (!isOpen) {
    return {
      ...metrics,
      status: HAS_ENDED.has(status) ? 'private' : status === 'waiting' ? status : 'running',
      score: null,
      reason: null,
      failing: 0,
      notRun: 0,
      executionId: null,
    }
  }
  return {
    ...metrics,
    score: grade?.score ?? null,
    status: status === 'answered' ? 'running' : status,
    reason: reason === null ? null : clipReason(reason),
    failing: (grade?.results ?? []).filter(({ passed }) => passed === false).length,
    notRun: grade?.notRun ?? 0,
    executionId: runBy === viewer.id ? cell.executionId : null,
  }
}

export function toCellDetail(listed: ListedCell, frozen: FrozenCase, viewing: Viewing): EvaluationCellDetail {
  const { cell, runBy } = listed
  const isOpen = listed.isOpen && (!viewing.isKept || runBy === viewing.viewer.id)
  const results = isOpen ? (cell.grade?.results ?? []) : []
  return { ...toCell(listed, viewing), caseName: frozen.name, results }
}

export function toEvaluation({ owned, cells, viewer, rights, labels, gates, isCurrent }: Shown): Evaluation {
  const { evaluation, record, recordName, starter, isKept } = owned
  const { id, suiteId, suiteName, status, stopReason, judgeModel, reuse, baseline, estimate } = evaluation
  const modelIds = new Map(
    cells.flatMap(({ cell }) =>
      isKept || cell.modelId === null ? [] : [[cell.targetPosition, cell.modelId]],
    ),
  )
  const ended = cells.filter(({ cell }) => HAS_ENDED.has(cell.status))
  const subject = { startedBy: evaluation.startedBy, status }
  return {
    id,
    kind: record.kind,
    recordId: record.id,
    recordName,
    suiteId,
    suiteName,
    status,
    stopReason,
    judgeModel,
    reuse,
    baseline,
    // It rests on runs of the person who started it.
    estimate: starter.id === viewer.id ? estimate : null,
    gates,
    isCurrent,
    startedBy: starter.username,
    isMine: starter.id === viewer.id,
    startedAt: evaluation.createdAt.toISOString(),
    finishedAt: evaluation.finishedAt?.toISOString() ?? null,
    costUsd: cells.reduce((sum, { cell }) => sum + spentOn(cell), 0),
    uncounted: ended.filter(({ cell }) => costOf(cell) === null).length,
    ceilingUsd: nanosToUsd(evaluation.ceilingNanos) ?? 0,
    targets: evaluation.targets.map(({ version, model }, position) => ({
      position,
      version,
      model,
      labels: labels.get(version) ?? [],
      modelId: modelIds.get(position) ?? null,
    })),
    cases: (evaluation.cases as FrozenCase[]).map((frozen, position) => ({
      position,
      name: frozen.name,
      tags: frozen.tags,
      given: describeGiven(frozen),
    })),
    cells: cells.map((listed) => toCell(listed, { viewer, isKept })),
    canStop: (isKept || status === 'running') && canStopEvaluation(viewer, subject, rights),
    canResume: status === 'stopped' && canResumeEvaluation(viewer, subject, rights),
    canDelete: canDeleteEvaluation(viewer, subject),
    ...(isKept && { ...presenceOf(evaluation), uncounted: null }),
  }
}

function clipReason(reason: string): string {
  return shortenText(reason.toWellFormed(), CELL_REASON_MAX)
}
