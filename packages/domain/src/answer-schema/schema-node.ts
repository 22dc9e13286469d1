/** A JSON schema, or a part of one, as it was written: nothing in it is checked. */
export type JsonSchema = Readonly<Record<string, unknown>>

const TYPES = ['object', 'array', 'string', 'number', 'integer', 'boolean'] as const
export type SchemaType = (typeof TYPES)[number]

export const FORMATS = [
  ...(['date', 'time', 'date-time', 'duration', 'email', 'hostname', 'uri', 'ipv4', 'ipv6', 'uuid'] as const),
]

export function typeOf(schema: JsonSchema): { type: SchemaType; isNullable: boolean } | undefined {
  const { type } = schema
  const names: unknown[] = Array.isArray(type) ? type : [type]
  const [name, ...others] = names.filter((each) => each !== 'null')
  const known = TYPES.find((each) => each === name)
  if (known === undefined || others.length > 0 || names.length > 2) return undefined
  return { type: known, isNullable: names.length === 2 }
}

export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function propertiesOf({ properties }: JsonSchema): [string, JsonSchema][] {
  if (!isSchema(properties)) return []
  return Object.entries(properties).filter((entry): entry is [string, JsonSchema] => isSchema(entry[1]))
}

export function requiredOf({ required }: JsonSchema): Set<unknown> {
  return new Set(Array.isArray(required) ? required : [])
}

/** The same schema with each of its parts changed, the innermost first. */
export function mapSchema(schema: JsonSchema, change: (part: JsonSchema) => JsonSchema): JsonSchema {
  const mapped: Record<string, unknown> = { ...schema }
  if (isSchema(schema.properties)) {
    const properties = propertiesOf(schema).map(([name, part]) => [name, mapSchema(part, change)])
    mapped.properties = Object.fromEntries(properties)
  }
  if (isSchema(schema.items)) mapped.items = mapSchema(schema.items, change)
  return change(mapped)
}

export function nullable(schema: JsonSchema): JsonSchema {
  const { type, enum: values } = schema
  if (typeof type !== 'string') return schema
  const widened = { ...schema, type: [type, 'null'] }
  return Array.isArray(values) && !values.includes(null) ? { ...widened, enum: [...values, null] } : widened
}
