import type { ChainPlan } from './chain-plan.ts'

/** Whether a run stops: at a step without all of its values (D44), or after one whose answer was cut (D71). */
export function stopsIf(
  rule: 'unwatched' | 'always' | 'never' = 'unwatched',
  { trigger }: ChainPlan,
): boolean {
  return rule === 'always' || (rule === 'unwatched' && trigger !== 'manual')
}
