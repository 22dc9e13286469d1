import type { VariableRecord } from './variable-record.ts'

/** The value of each record, by the names that mean it as they are written; others are absent. */
export function underNames<Value>({
  names,
  records,
  values,
}: {
  names: string[]
  records: Pick<VariableRecord, 'name'>[]
  values: Value[]
}): Map<string, Value> {
  const places = new Map(records.map(({ name }, place) => [name.toLowerCase(), place]))
  const meant = names.map((name) => [name, places.get(name.toLowerCase())] as const)
  return new Map(
    meant.flatMap(([name, place]) => (place === undefined ? [] : [[name, values[place] as Value]])),
  )
}
