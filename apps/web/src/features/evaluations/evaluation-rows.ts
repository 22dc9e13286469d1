import type { Evaluation, EvaluationCase, EvaluationCell } from '@catenary/contracts'
import { type CellChange, changeOf, summarizeTarget, type TargetSummary } from '@catenary/domain'
import type { EvaluationView } from './evaluation-view.ts'

export interface RowCell {
  cell: EvaluationCell
  version: number
  change: CellChange | null
}

export interface EvaluationRow {
  test: EvaluationCase
  cells: RowCell[]
  regressions: number
  failures: number
  difference: number
}

const RANKS: Record<CellChange, number> = { regression: 100, fixed: 10, also: 1 }

export function rowsOf({ cases, cells, targets }: Evaluation, baseline: number): EvaluationRow[] {
  const width = targets.length
  return cases.map((test) => {
    const own = cells.slice(test.position * width, (test.position + 1) * width)
    const compared = own.map((cell) => ({
      cell,
      version: targets[cell.targetPosition]?.version ?? 0,
      change: cell.targetPosition === baseline ? null : changeOf(cell, own[baseline]),
    }))
    const changes = compared.flatMap(({ change }) => change ?? [])
    return {
      test,
      cells: compared,
      failures: own.filter(isFailure).length,
      regressions: changes.filter((change) => change === 'regression').length,
      difference: changes.reduce((sum, change) => sum + RANKS[change], 0) + spreadOf(own),
    }
  })
}

export const isFailure = ({ status }: Pick<EvaluationCell, 'status'>): boolean =>
  status === 'failed' || status === 'error'

/** It keeps its version from a label that needs the suite, as far as the viewer sees. */
const standsAgainst = ({ status }: EvaluationCell): boolean => status !== 'passed' && status !== 'private'

/** The range of the scores: smaller changes don't count. */
function spreadOf(cells: readonly EvaluationCell[]): number {
  const scores = cells.flatMap(({ score }) => score ?? [])
  return scores.length === 0 ? 0 : Math.max(...scores) - Math.min(...scores)
}

export function shownRows(rows: readonly EvaluationRow[], view: EvaluationView): EvaluationRow[] {
  const wanted = view.search.trim().toLowerCase()
  const shown = rows.filter(
    ({ test, cells, regressions }) =>
      (wanted === '' || `${test.name} ${test.given}`.toLowerCase().includes(wanted)) &&
      (view.tags.length === 0 || view.tags.some((tag) => test.tags.includes(tag))) &&
      (!view.onlyRegressions || regressions > 0) &&
      (view.failing === null ||
        cells.some(({ cell, version }) => version === view.failing && standsAgainst(cell))),
  )
  if (view.sort === 'test') return shown
  const rankOf = ({ difference, failures }: EvaluationRow) =>
    view.sort === 'difference' ? difference : failures
  return shown.toSorted((a, b) => rankOf(b) - rankOf(a))
}

export function summariesOf({ cells, targets }: Evaluation, baseline: number): TargetSummary[] {
  const columns = targets.map(({ position }) =>
    cells.filter(({ targetPosition }) => targetPosition === position),
  )
  return columns.map((column, position) =>
    summarizeTarget(column, position === baseline ? [] : (columns[baseline] ?? [])),
  )
}

export const tagsOf = ({ cases }: Pick<Evaluation, 'cases'>): string[] =>
  [...new Set(cases.flatMap(({ tags }) => tags))].toSorted((a, b) => a.localeCompare(b))

export interface GateState {
  label: string
  version: number
  failing: number
  /** Cells whose result only the person who ran them sees. */
  hidden: number
}

/** For each label that needs the suite, the newest version here that does not carry it yet. */
export function gatesOf({ gates, targets, cells, status }: Evaluation): GateState[] {
  if (status !== 'completed') return []
  return gates.flatMap((label) => {
    const versions = targets.flatMap(({ version, labels }) => (labels.includes(label) ? [] : version))
    if (versions.length === 0) return []
    const version = Math.max(...versions)
    const own = cells.filter(({ targetPosition }) => targets[targetPosition]?.version === version)
    const hidden = own.filter(({ status }) => status === 'private').length
    return { label, version, hidden, failing: own.filter(standsAgainst).length }
  })
}
