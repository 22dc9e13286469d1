import type { RankedText } from '../rank-chains.ts'

export interface LabelledChain extends Omit<RankedText, 'id'> {
  /** What people ask, in other words than the examples. */
  requests: readonly string[]
}

export function labelled(
  name: string,
  fields: Omit<RankedText, 'id' | 'name'>,
  ...requests: [string, string, string, string, string, string]
): LabelledChain {
  return { name, ...fields, requests }
}
