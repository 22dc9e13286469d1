import {
  type FieldType,
  findFieldProblems,
  type JsonSchema,
  type SchemaField,
  schemaOfFields,
} from '@catenary/domain'
import { newId } from '../../../lib/new-id.ts'

export interface SchemaRow {
  id: string
  name: string
  type: FieldType
  isList: boolean
  description: string
  isRequired: boolean
  /** Of one of several: between commas. */
  choices: string
  rows: SchemaRow[]
}

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

export function schemaOfRows(rows: readonly SchemaRow[]): JsonSchema {
  return schemaOfFields(fieldsOfRows(rows))
}

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
