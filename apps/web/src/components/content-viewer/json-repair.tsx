import { WrenchIcon } from 'lucide-react'
import type { JsonNode } from '../reader/parse-json.ts'

export interface JsonRemarks {
  repairs: ReadonlyMap<string, string | null>
  problems: ReadonlySet<string>
}

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
