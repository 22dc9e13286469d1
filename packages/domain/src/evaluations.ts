import type { CellStatus, EvaluationCell } from '@catenary/contracts'
import { sumKnown } from './sums.ts'

/** 95 % of a normal distribution lie within so many standard deviations. */
const Z = 1.959964

interface Interval {
  low: number
  high: number
}

/** Between which rates the true one lies, 95 times of 100, where so many of them passed (Wilson). */
export function wilsonInterval(passed: number, all: number): Interval {
  if (all === 0) return { low: 0, high: 1 }
  const rate = passed / all
  const spread = Z * Math.sqrt((rate * (1 - rate)) / all + (Z * Z) / (4 * all * all))
  const middle = rate + (Z * Z) / (2 * all)
  const scale = 1 + (Z * Z) / all
  return { low: Math.max(0, (middle - spread) / scale), high: Math.min(1, (middle + spread) / scale) }
}

export function percentileOf(values: readonly number[], part: number): number | null {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? null
}

const ENDED: readonly CellStatus[] = ['passed', 'failed', 'not-run', 'error', 'private']
const COUNTED: readonly CellStatus[] = ['passed', 'failed', 'error']

/** What can't run here, or is private to another person, counts neither way. */
const counts = ({ status }: Pick<EvaluationCell, 'status'>): boolean => COUNTED.includes(status)

export const hasEnded = ({ status }: Pick<EvaluationCell, 'status'>): boolean => ENDED.includes(status)

/** How a case compares with the baseline; null if both passed, or one has not ended. */
export type CellChange = 'regression' | 'fixed' | 'also'

export function changeOf(
  cell: Pick<EvaluationCell, 'status'>,
  baseline: Pick<EvaluationCell, 'status'> | undefined,
): CellChange | null {
  if (baseline === undefined || !counts(cell) || !counts(baseline)) return null
  const [passes, passed] = [cell.status === 'passed', baseline.status === 'passed']
  if (passes) return passed ? null : 'fixed'
  return passed ? 'regression' : 'also'
}

export interface TargetSummary {
  passed: number
  counted: number
  /** Ended, and private to another person. */
  hidden: number
  /** 0 to 1; null while none has ended. */
  rate: number | null
  interval: Interval
  costUsd: number | null
  p50Ms: number | null
  p95Ms: number | null
  regressions: number
}

/** A target in a line. Both lists are in the order of the cases. */
export function summarizeTarget(
  cells: readonly EvaluationCell[],
  baseline: readonly EvaluationCell[],
): TargetSummary {
  const ended = cells.filter(hasEnded)
  const counted = ended.filter(counts).length
  const passed = ended.filter(({ status }) => status === 'passed').length
  const times = ended.flatMap(({ durationMs }) => durationMs ?? [])
  return {
    passed,
    counted,
    hidden: ended.filter(({ status }) => status === 'private').length,
    rate: counted === 0 ? null : passed / counted,
    interval: wilsonInterval(passed, counted),
    costUsd: sumKnown(ended.map(({ costUsd }) => costUsd)),
    p50Ms: percentileOf(times, 0.5),
    p95Ms: percentileOf(times, 0.95),
    regressions: cells.filter((cell, index) => changeOf(cell, baseline[index]) === 'regression').length,
  }
}
