import { findSchemaAt, type PathStep, writePath } from './paths.ts'
import type { JsonSchema } from './schema-node.ts'

/** 'summary has no field titel', where a path leads nowhere in an output's schema; undefined: it leads somewhere. */
export function describeUnknownField({
  name,
  path,
  schema,
}: {
  name: string
  path: readonly PathStep[]
  schema: JsonSchema | undefined
}): string | undefined {
  if (schema === undefined || path.length === 0) return undefined
  const found = findSchemaAt(schema, path)
  if ('part' in found) return undefined
  const { missing, parent } = found
  const inner = writePath(parent)
  const within = inner === '' ? name : `${name}${inner.startsWith('[') ? '' : '.'}${inner}`
  return typeof missing === 'number' ? `${within} is no list` : `${within} has no field ${missing}`
}
