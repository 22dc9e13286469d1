import { checkSchema, fieldsOfSchema, type JsonSchema, type SchemaNote } from '@catenary/domain'
import type { OutputInput } from './output-value.ts'
import { newRow, problemsOf, rowsOfFields, type SchemaRow, schemaOfRows } from './schema-rows.ts'
import { NoSchema, readSchema, textOfSchema } from './schema-text.ts'

export type SchemaView = { as: 'fields'; rows: SchemaRow[] } | { as: 'json'; text: string }

export function viewOfValue(value: OutputInput): SchemaView {
  if (value.type === 'text') return { as: 'fields', rows: [newRow()] }
  if ('schema' in value) return viewOf(textOfSchema(value.schema))
  const { unfinished } = value
  return typeof unfinished === 'string'
    ? { as: 'json', text: unfinished }
    : { as: 'fields', rows: unfinished }
}

/** Fields where they say all of it, else the text. */
export function viewOf(text: string): SchemaView {
  const { rows } = readView(text)
  return rows ? { as: 'fields', rows } : { as: 'json', text }
}

export function formValueOf(view: SchemaView): OutputInput {
  if (view.as === 'json') {
    const { schema } = readView(view.text)
    return schema ? { type: 'json', schema } : { type: 'json', unfinished: view.text }
  }
  const schema = problemsOf(view.rows).size === 0 ? schemaOfRows(view.rows) : null
  const isTaken = schema !== null && checkSchema(schema).problems.length === 0
  return isTaken ? { type: 'json', schema } : { type: 'json', unfinished: view.rows }
}

export interface ReadView {
  /** Null where the text is none that can be saved. */
  schema: JsonSchema | null
  /** Null where fields would lose something of it. */
  rows: SchemaRow[] | null
  problems: string[]
  notes: SchemaNote[]
}

export function readView(text: string): ReadView {
  try {
    const schema = readSchema(text)
    const { problems, notes } = checkSchema(schema)
    const fields = problems.length === 0 ? fieldsOfSchema(schema) : null
    return {
      schema: problems.length === 0 ? schema : null,
      rows: fields && rowsOfFields(fields),
      problems: problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)),
      notes,
    }
  } catch (error) {
    if (!(error instanceof NoSchema)) throw error
    return { schema: null, rows: null, problems: [error.message], notes: [] }
  }
}

export function problemOf(unfinished: string | readonly SchemaRow[]): string {
  if (typeof unfinished === 'string') return readView(unfinished).problems[0] ?? 'The schema can’t be read'
  if (problemsOf(unfinished).size > 0) return 'Fix the schema’s fields'
  return checkSchema(schemaOfRows(unfinished)).problems[0]?.message ?? 'The schema can’t be read'
}

export function whyOnlyJson(schema: JsonSchema): string {
  const found = findUnsaid(schema, '')
  return found === undefined ? 'it can’t be shown as fields' : found
}

const SAID = [
  '$schema',
  'type',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'enum',
  'description',
]

function findUnsaid(part: JsonSchema, path: string): string | undefined {
  const place = path === '' ? 'the answer' : path
  const unsaid = Object.keys(part).find(
    (keyword) =>
      !SAID.includes(keyword) && !(keyword === 'format' && /^date(-time)?$/.test(String(part.format))),
  )
  if (unsaid !== undefined) return `${place} has ${unsaid}`
  if (Array.isArray(part.type)) return `${place} may be null`
  for (const [name, inner] of Object.entries((part.properties ?? {}) as Record<string, JsonSchema>)) {
    const found = findUnsaid(inner, path === '' ? name : `${path}.${name}`)
    if (found !== undefined) return found
  }
  return part.items === undefined ? undefined : findUnsaid(part.items as JsonSchema, `${path}[]`)
}

/** The fields as JSON, without those that nothing was written of; null where others would be lost. */
export function textOfRows(rows: readonly SchemaRow[]): string | null {
  const written = rows.filter(({ name, description }) => name !== '' || description !== '')
  return problemsOf(written).size === 0 ? textOfSchema(schemaOfRows(written)) : null
}
