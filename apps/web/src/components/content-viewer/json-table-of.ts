import type { JsonNode } from '../reader/parse-json.ts'

const COLUMNS_MAX = 10

type JsonValue = Exclude<JsonNode, { kind: 'list' | 'object' }>

export interface JsonTableContent {
  columns: readonly string[]
  rows: readonly ReadonlyMap<string, JsonValue>[]
}

export function tableOf(node: JsonNode): JsonTableContent | null {
  if (node.kind !== 'list' || node.items.length < 2) return null
  const columns = new Set<string>()
  const rows: Map<string, JsonValue>[] = []
  for (const item of node.items) {
    if (item.kind !== 'object') return null
    const row = new Map<string, JsonValue>()
    for (const { name, node: value } of item.entries) {
      if (value.kind === 'list' || value.kind === 'object' || row.has(name)) return null
      row.set(name, value)
      columns.add(name)
    }
    if (columns.size > COLUMNS_MAX) return null
    rows.push(row)
  }
  return columns.size === 0 ? null : { columns: [...columns], rows }
}
