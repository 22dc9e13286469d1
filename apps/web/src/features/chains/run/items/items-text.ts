import type { ItemCounts, RunDetails, StepState } from '@catenary/contracts'
import type { ChainRun } from '../chain-run.ts'

/** How many items have ended, in whatever way. */
export const endedOf = ({ completed, skipped, failed }: ItemCounts): number => completed + skipped + failed

/** `10 of 12 done · 1 skipped · 1 failed` */
export function itemsText({ all, completed, skipped, failed }: ItemCounts): string {
  if (all === 0) return 'The list had no items'
  return [
    `${completed} of ${all} done`,
    skipped > 0 && `${skipped} skipped`,
    failed > 0 && `${failed} failed`,
  ]
    .filter(Boolean)
    .join(' · ')
}

/** How far a step is with its items: the events say it of the current one; undefined: it runs once, or has not begun. */
export function itemCountsOf(
  { details }: Pick<ChainRun, 'details'>,
  { position, itemCounts }: Pick<StepState, 'position' | 'itemCounts'>,
): ItemCounts | undefined {
  return itemCounts ?? details?.steps[position]?.itemCounts
}

/** Whether items that failed can be run again by whom the run belongs to: once it has ended, unless it is resumed anyway. */
export function mayRetryItems(
  run: Pick<ChainRun | RunDetails, 'status' | 'sight' | 'canResume'>,
  { status }: Pick<StepState, 'status'>,
): boolean {
  const isResumed = run.canResume && (status === 'failed' || status === 'cancelled')
  return run.sight === 'own' && run.status !== 'running' && !isResumed
}
