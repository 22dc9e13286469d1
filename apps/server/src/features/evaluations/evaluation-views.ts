import {
  CELL_REASON_MAX,
  type Evaluation,
  type EvaluationCell,
  type EvaluationCellDetail,
  type ListedEvaluation,
  type User,
} from '@catenary/contracts'
import { nanosToUsd, sumKnown } from '@catenary/domain'
import type { RecordRights } from '../records/records.ts'
import type { CellRow, ListedCell } from './evaluation-cells.repository.ts'
import { canDeleteEvaluation, canResumeEvaluation, canStopEvaluation } from './evaluations.policy.ts'
import { type ListedRow, type OwnedEvaluation, recordOf } from './evaluations.repository.ts'
import { describeGiven, type FrozenCase } from './frozen-cases.ts'

interface Shown {
  owned: OwnedEvaluation
  cells: ListedCell[]
  viewer: User
  rights: RecordRights
  /** The current labels of each version. */
  labels: Map<number, string[]>
  gates: string[]
  isCurrent: boolean
}

export function toListed(
  { evaluation, recordName, startedBy, spentNanos, ...counts }: ListedRow,
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
    ...counts,
    isMine: evaluation.startedBy === viewer.id,
    startedAt: evaluation.createdAt.toISOString(),
    finishedAt: evaluation.finishedAt?.toISOString() ?? null,
    costUsd: nanosToUsd(spentNanos) ?? 0,
  }
}

/** Run and judge; null where neither has a price. */
const costOf = ({ costNanos, judgeCostNanos }: CellRow): number | null =>
  nanosToUsd(sumKnown([costNanos, judgeCostNanos]))

const spentOn = (cell: CellRow): number => (cell.reusedFrom === null ? (costOf(cell) ?? 0) : 0)

const HAS_ENDED: ReadonlySet<CellRow['status']> = new Set(['passed', 'failed', 'not-run', 'error'])

/** Only the person who ran it can open its run; of a private one others get neither pass nor score nor reason (D59). */
function toCell({ cell, runBy, isOpen }: ListedCell, viewer: User): EvaluationCell {
  const { casePosition, targetPosition, status, reason, grade, durationMs, reusedFrom } = cell
  const metrics = { casePosition, targetPosition, durationMs, reusedFrom, costUsd: costOf(cell) }
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

export function toCellDetail(listed: ListedCell, frozen: FrozenCase, viewer: User): EvaluationCellDetail {
  const { cell, isOpen } = listed
  const results = isOpen ? (cell.grade?.results ?? []) : []
  return { ...toCell(listed, viewer), caseName: frozen.name, results }
}

export function toEvaluation({ owned, cells, viewer, rights, labels, gates, isCurrent }: Shown): Evaluation {
  const { evaluation, record, recordName, starter } = owned
  const { id, suiteId, suiteName, status, stopReason, judgeModel, reuse, baseline, estimate } = evaluation
  const modelIds = new Map(
    cells.flatMap(({ cell }) => (cell.modelId === null ? [] : [[cell.targetPosition, cell.modelId]])),
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
    estimate,
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
    cells: cells.map((listed) => toCell(listed, viewer)),
    canStop: status === 'running' && canStopEvaluation(viewer, subject, rights),
    canResume: status === 'stopped' && canResumeEvaluation(viewer, subject, rights),
    canDelete: canDeleteEvaluation(viewer, subject),
  }
}

function clipReason(reason: string): string {
  return reason.length > CELL_REASON_MAX ? `${reason.slice(0, CELL_REASON_MAX).toWellFormed()}…` : reason
}
