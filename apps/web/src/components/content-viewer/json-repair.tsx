import { WrenchIcon } from 'lucide-react'
import type { JsonNode } from '../reader/parse-json.ts'

/** What is said of which values, by their paths. */
export interface JsonRemarks {
  /** What was there before a repair; null: nothing was. */
  repairs: ReadonlyMap<string, string | null>
  problems: ReadonlySet<string>
}

/** What a repaired value was before, and what it is now where that is the point. */
export function JsonRepair({ node, remarks, path }: { node: JsonNode; remarks: JsonRemarks; path: string }) {
  const before = remarks.repairs.get(path)
  if (before === undefined) return null
  const was = before === null ? 'was missing' : `was “${before}”`
  return (
    <span className="ml-2 text-warn">
      <WrenchIcon aria-hidden="true" className="mr-1 mb-0.5 inline size-3.5" />
      {was}
      {before !== null && node.kind === 'number' && ', now a number'}
    </span>
  )
}
