import * as z from 'zod'
import type { AnswerBounds } from '../../../runs/runs.ts'
import { refused } from '../gateway-error.ts'

/** A choice that leaves it to the model is a hint; one that forces a call is not. */
export function refuseForcedTool({ param, value }: { param: string; value: unknown }): void {
  if (value === undefined || value === null || value === 'auto' || value === 'none') return
  const asked = typeof value === 'string' ? value : 'a named tool'
  throw refused(param, `${asked} is not supported: a chain calls no tools of its caller`)
}

const jsonSchema = z.looseObject({ schema: z.record(z.string(), z.unknown()) })

/** The JSON schema of the answer, of just any JSON that of an object; throws for formats other than text and JSON. */
export function readResponseFormat({
  param,
  value,
}: {
  param: string
  value: unknown
}): AnswerBounds['schema'] {
  if (value === undefined || value === null) return undefined
  const { type, ...format } = z.looseObject({ type: z.string() }).catch({ type: 'this form' }).parse(value)
  if (type === 'text') return undefined
  if (type === 'json_object') return { schema: { type: 'object' }, param }
  // On chat the schema is a field of its own, on responses it stands beside the type.
  const parsed = type === 'json_schema' ? jsonSchema.safeParse(format.json_schema ?? format) : undefined
  if (!parsed?.success)
    throw refused(param, `${type} is not supported: only text, json_object, or json_schema with a schema`)
  return { schema: parsed.data.schema, param }
}
