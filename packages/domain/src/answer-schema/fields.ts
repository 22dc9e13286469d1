import { dequal } from 'dequal'
import { isSchema, type JsonSchema, propertiesOf, requiredOf, typeOf } from './schema-node.ts'
import { completeSchema } from './vendors.ts'

export const FIELD_TYPES = [
  'text',
  'number',
  'integer',
  'yes-no',
  'date',
  'date-time',
  'one-of',
  'group',
] as const
export type FieldType = (typeof FIELD_TYPES)[number]
/** Groups within each other; deeper schemas are edited as JSON. */
export const FIELD_NESTING_MAX = 2
const FIELD_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/

export interface SchemaField {
  name: string
  type: FieldType
  isList: boolean
  /** For the model; empty: nothing is said. */
  description: string
  isRequired: boolean
  values?: string[]
  fields?: SchemaField[]
}

export interface FieldProblem {
  at: number[]
  part: 'name' | 'values' | 'fields'
  message: string
}

/** A schema's fields in their order; null where fields would lose something of it. */
export function fieldsOfSchema(schema: JsonSchema): SchemaField[] | null {
  const fields = readFields(schema, 0)
  if (fields === null || findFieldProblems(fields).length > 0) return null
  return dequal(completeSchema(schemaOfFields(fields)), sorted(completeSchema(schema))) ? fields : null
}

/** Of two fields with one name the later counts: `findFieldProblems` reports them. */
export function schemaOfFields(fields: readonly SchemaField[]): JsonSchema {
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field.name, schemaOfField(field)])),
    required: fields.flatMap(({ name, isRequired }) => (isRequired ? [name] : [])),
    additionalProperties: false,
  }
}

export function findFieldProblems(fields: readonly SchemaField[], above: number[] = []): FieldProblem[] {
  const counts = new Map<string, number>()
  for (const { name } of fields) counts.set(name, (counts.get(name) ?? 0) + 1)
  return fields.flatMap((field, index) => {
    const at = [...above, index]
    const problems: FieldProblem[] = []
    const add = (part: FieldProblem['part'], message: string) => problems.push({ at, part, message })
    if (field.name === '') add('name', 'Give the field a name')
    else if (!FIELD_NAME.test(field.name) || field.name === '__proto__') {
      add('name', 'Use letters, digits and underscores, not beginning with a digit, at most 64 characters')
    } else if ((counts.get(field.name) ?? 0) > 1) add('name', `Another field is already called ${field.name}`)
    if (field.type === 'one-of') {
      const values = field.values ?? []
      if (values.length === 0 || values.includes('')) add('values', 'List the values it may have')
      else if (new Set(values).size < values.length) add('values', 'A value is listed twice')
    }
    if (field.type !== 'group') return problems
    if ((field.fields ?? []).length === 0) add('fields', 'Add a field to the group')
    if (at.length > FIELD_NESTING_MAX) add('fields', `Groups can be at most ${FIELD_NESTING_MAX} levels deep`)
    return [...problems, ...findFieldProblems(field.fields ?? [], at)]
  })
}

function schemaOfField({ type, isList, description, values = [], fields = [] }: SchemaField): JsonSchema {
  const one = type === 'group' ? schemaOfFields(fields) : ONE[type](values)
  const said = description === '' ? {} : { description }
  return isList ? { type: 'array', ...said, items: one } : { ...one, ...said }
}

const ONE: Record<Exclude<FieldType, 'group'>, (values: string[]) => JsonSchema> = {
  text: () => ({ type: 'string' }),
  number: () => ({ type: 'number' }),
  integer: () => ({ type: 'integer' }),
  'yes-no': () => ({ type: 'boolean' }),
  date: () => ({ type: 'string', format: 'date' }),
  'date-time': () => ({ type: 'string', format: 'date-time' }),
  'one-of': (values) => ({ type: 'string', enum: values }),
}

/** Leniently: what it loses shows when the fields become a schema again. */
function readFields(schema: JsonSchema, depth: number): SchemaField[] | null {
  if (depth > FIELD_NESTING_MAX) return null
  const required = requiredOf(schema)
  const fields = propertiesOf(schema).map(([name, part]) => {
    const isList = typeOf(part)?.type === 'array'
    const one = isList && isSchema(part.items) ? part.items : part
    const type = typeOfField(one)
    const inner = type === 'group' ? readFields(one, depth + 1) : undefined
    if (type === undefined || inner === null) return null
    const field: SchemaField = {
      name,
      type,
      isList,
      description: typeof part.description === 'string' ? part.description : '',
      isRequired: required.has(name),
    }
    if (type === 'one-of') field.values = (one.enum as unknown[]).map(String)
    if (inner !== undefined) field.fields = inner
    return field
  })
  return fields.some((field) => field === null) ? null : (fields as SchemaField[])
}

function typeOfField(part: JsonSchema): FieldType | undefined {
  switch (typeOf(part)?.type) {
    case 'string':
      if (Array.isArray(part.enum)) return 'one-of'
      return part.format === 'date' || part.format === 'date-time' ? part.format : 'text'
    case 'number':
      return 'number'
    case 'integer':
      return 'integer'
    case 'boolean':
      return 'yes-no'
    case 'object':
      return 'group'
    default:
      return undefined
  }
}

/** With what is required in the order of the fields: another order says the same. */
function sorted(schema: JsonSchema): JsonSchema {
  const inner = propertiesOf(schema).map(([name, part]) => [name, sorted(part)])
  const order = inner.map(([name]) => name)
  const required = order.filter((name) => requiredOf(schema).has(name))
  return {
    ...schema,
    ...(isSchema(schema.properties) && { properties: Object.fromEntries(inner), required }),
    ...(isSchema(schema.items) && { items: sorted(schema.items) }),
  }
}
