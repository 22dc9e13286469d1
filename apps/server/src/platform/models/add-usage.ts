import { sumAll, sumKnown } from '@catenary/domain'
import type { ModelUsage } from './model-types.ts'

/** What calls took together; a failed one that reports no usage counts as none. Undefined: none reports any. */
export function addUsage(calls: readonly [...(ModelUsage | undefined)[], ModelUsage]): ModelUsage
export function addUsage(calls: readonly (ModelUsage | undefined)[]): ModelUsage | undefined
export function addUsage(calls: readonly (ModelUsage | undefined)[]): ModelUsage | undefined {
  const used = calls.filter((usage) => usage !== undefined)
  if (used.length === 0) return undefined
  return {
    inputTokens: sumAll(used.map(({ inputTokens }) => inputTokens)),
    outputTokens: sumAll(used.map(({ outputTokens }) => outputTokens)),
    cachedTokens: sumKnown(used.map(({ cachedTokens }) => cachedTokens)),
    costNanos: sumAll(used.map(({ costNanos }) => costNanos)),
    savedNanos: sumAll(used.map(({ savedNanos }) => savedNanos)),
  }
}
