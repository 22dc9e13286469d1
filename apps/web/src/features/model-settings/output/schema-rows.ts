import {
  type FieldType,
  findFieldProblems,
  type JsonSchema,
  type SchemaField,
  schemaOfFields,
} from '@catenary/domain'
import { newId } from '../../../lib/new-id.ts'

/** A field of an answer, as it is typed. */
export interface SchemaRow {
  /** Tells it from the others of its form while names change. */
  id: string
  name: string
  type: FieldType
  isList: boolean
  description: string
  isRequired: boolean
  /** Of one of several: between commas. */
  choices: string
  /** Of a group. */
  rows: SchemaRow[]
}

/** A new field, still without a name. */
export function newRow(): SchemaRow {
  return {
    id: newId(),
    name: '',
    type: 'text',
    isList: false,
    description: '',
    isRequired: true,
    choices: '',
    rows: [],
  }
}

/** Fields as rows of a form; null where a choice would be read as two. */
export function rowsOfFields(fields: readonly SchemaField[]): SchemaRow[] | null {
  const rows = fields.map(rowOf)
  return JSON.stringify(fieldsOfRows(rows)) === JSON.stringify(fields) ? rows : null
}

/** The JSON Schema of an object with these fields and no others. */
export function schemaOfRows(rows: readonly SchemaRow[]): JsonSchema {
  return schemaOfFields(fieldsOfRows(rows))
}

/** What is wrong with which row, by its id; rows are a schema where nothing is. */
export function problemsOf(rows: readonly SchemaRow[]): Map<string, string> {
  const problems = new Map<string, string>()
  for (const { at, message } of findFieldProblems(fieldsOfRows(rows))) {
    const row = rowAt(rows, at)
    if (row && !problems.has(row.id)) problems.set(row.id, message)
  }
  return problems
}

function rowAt(rows: readonly SchemaRow[], [index = 0, ...inner]: readonly number[]): SchemaRow | undefined {
  const row = rows[index]
  return inner.length === 0 || row === undefined ? row : rowAt(row.rows, inner)
}

function fieldsOfRows(rows: readonly SchemaRow[]): SchemaField[] {
  return rows.map(({ name, type, isList, description, isRequired, choices, rows: inner }) => {
    const field: SchemaField = { name: name.trim(), type, isList, description, isRequired }
    if (type === 'one-of') field.values = valuesOf(choices)
    if (type === 'group') field.fields = fieldsOfRows(inner)
    return field
  })
}

function rowOf({ values = [], fields = [], ...field }: SchemaField): SchemaRow {
  return { ...newRow(), ...field, choices: values.join(', '), rows: fields.map(rowOf) }
}

function valuesOf(choices: string): string[] {
  return choices
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '')
}
