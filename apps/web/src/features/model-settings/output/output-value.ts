import { FIELD_TYPES } from '@catenary/domain'
import * as z from 'zod'
import type { SchemaRow } from './schema-rows.ts'

const schemaRow: z.ZodType<SchemaRow> = z.object({
  id: z.string(),
  name: z.string(),
  type: z.enum(FIELD_TYPES),
  isList: z.boolean(),
  description: z.string(),
  isRequired: z.boolean(),
  choices: z.string(),
  get rows() {
    return z.array(schemaRow)
  },
})

const textOutput = z.object({ type: z.literal('text') })
const jsonOutput = z.object({ type: z.literal('json'), schema: z.record(z.string(), z.unknown()) })
/** What makes no schema yet stays as it is written: fields, or a text. */
const unfinishedOutput = z.object({
  type: z.literal('json'),
  unfinished: z.union([z.string(), z.array(schemaRow)]),
})

/** The output while it is being filled in, as a draft keeps it. */
export const outputInput = z.union([textOutput, jsonOutput, unfinishedOutput]).default({ type: 'text' })
export type OutputInput = z.output<typeof outputInput>
