import type { EvaluationEstimate, EvaluationTarget } from '@catenary/contracts'
import type { CellChange } from '@catenary/domain'
import { formatCost } from '../runs/format-metrics.ts'

/** `v7 · Claude`; of a chain `v7`. */
export function targetName(
  { version, model }: Pick<EvaluationTarget, 'version' | 'model'>,
  labelOf: (alias: string) => string,
): string {
  return model === null ? `v${version}` : `v${version} · ${labelOf(model)}`
}

/** `57–98 %` */
export const percentRange = ({ low, high }: { low: number; high: number }): string =>
  `${Math.round(low * 100)}–${Math.round(high * 100)} %`

export function changeText(change: CellChange, baselineVersion: number): string {
  return change === 'also' ? `also in v${baselineVersion}` : change
}

/** `$0.38 to $0.61`; nothing is known where no model has a price. */
export function estimateText({
  medianUsd,
  p95Usd,
}: Pick<EvaluationEstimate, 'medianUsd' | 'p95Usd'>): string {
  if (medianUsd === null || p95Usd === null) return 'unknown'
  const [low, high] = [formatCost(medianUsd), formatCost(p95Usd)]
  return low === high ? low : `${low} to ${high}`
}
