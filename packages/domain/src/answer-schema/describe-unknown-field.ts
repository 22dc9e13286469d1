import { findSchemaAt, type PathStep, readPath, writePath } from './paths.ts'
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
  return describeMissing({ within, missing })
}

/** 'items[0] has no field titel', where a path of an answer leads nowhere in its schema; undefined: it leads somewhere, or is no path. */
export function describeUnknownPath({
  path,
  schema,
}: {
  path: string
  schema: JsonSchema
}): string | undefined {
  const steps = readPath(path)
  const found = steps && findSchemaAt(schema, steps)
  if (found === undefined || 'part' in found) return undefined
  return describeMissing({ within: writePath(found.parent) || 'The schema', missing: found.missing })
}

function describeMissing({ within, missing }: { within: string; missing: PathStep }): string {
  return typeof missing === 'number' ? `${within} is not a list` : `${within} has no field ${missing}`
}
