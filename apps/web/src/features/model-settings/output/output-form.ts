import * as z from 'zod'
import { type OutputInput, outputInput } from './output-value.ts'
import { problemOf } from './schema-view.ts'

export const outputForm = outputInput.unwrap().transform((value, context) => {
  if (!('unfinished' in value)) return value
  context.addIssue({ code: 'custom', message: problemOf(value.unfinished) })
  return z.NEVER
})

export function showOutput(value: OutputInput): string {
  if (value.type === 'text') return 'Text'
  if ('schema' in value) return `JSON by schema\n${JSON.stringify(value.schema, null, 2)}`
  return 'JSON by schema, unfinished'
}
