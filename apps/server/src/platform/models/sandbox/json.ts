import type { JsonSchema } from '@catenary/domain'

/** A schema of a caller may go on without end. */
const DEPTH_MAX = 12
const LENGTH_MAX = 1_000

type Value = string | number | boolean | null | Value[] | { [name: string]: Value }

/** JSON that matches a schema, with the names of its fields for words; as far as a stand-in understands the schema. */
export function answerBySchema(schema: JsonSchema): string {
  return JSON.stringify(exampleOf({ schema, root: schema, path: [] }), null, 2)
}

interface Place {
  schema: JsonSchema
  root: JsonSchema
  path: (string | number)[]
}

function exampleOf({ schema, root, path }: Place): Value {
  if (path.length > DEPTH_MAX) return null
  const inner = (part: unknown, step: string | number): Value =>
    isObject(part) ? exampleOf({ schema: part, root, path: [...path, step] }) : null
  if (schema.const !== undefined) return schema.const as Value
  if (Array.isArray(schema.enum)) return (schema.enum[0] ?? null) as Value
  if (typeof schema.$ref === 'string') return inner(referred(root, schema.$ref), '$ref')
  for (const choice of [schema.anyOf, schema.oneOf])
    if (Array.isArray(choice)) return inner(choice[0], '$ref')
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  if (type === 'object' || isObject(schema.properties)) {
    const properties = isObject(schema.properties) ? schema.properties : {}
    return Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, inner(part, name)]))
  }
  if (type === 'array') {
    const count = Math.min(
      Math.max(numberOf(schema.minItems) ?? 1, 1),
      numberOf(schema.maxItems) ?? LENGTH_MAX,
      LENGTH_MAX,
    )
    return Array.from({ length: count }, (_, index) => inner(schema.items, index))
  }
  if (type === 'number' || type === 'integer') {
    const least = numberOf(schema.minimum) ?? Math.min(1, numberOf(schema.maximum) ?? 1)
    return type === 'integer' ? Math.ceil(least) : least
  }
  if (type === 'boolean') return true
  return type === 'null' ? null : textOf({ schema, path })
}

const FORMATS: Record<string, string> = {
  date: '2026-01-01',
  time: '09:00:00Z',
  'date-time': '2026-01-01T09:00:00Z',
  duration: 'P1D',
  email: 'sandbox@example.com',
  hostname: 'example.com',
  uri: 'https://example.com/',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uuid: '00000000-0000-4000-8000-000000000000',
}

function textOf({ schema, path }: Pick<Place, 'schema' | 'path'>): string {
  const known = FORMATS[String(schema.format)]
  if (known !== undefined) return known
  const name = path.findLast((step) => typeof step === 'string' && step !== '$ref') ?? 'answer'
  const text = `sandbox: ${String(name).replaceAll('_', ' ')}`
  const least = Math.min(numberOf(schema.minLength) ?? 0, LENGTH_MAX)
  return text.padEnd(least, '.').slice(0, numberOf(schema.maxLength) ?? LENGTH_MAX)
}

function referred(root: JsonSchema, reference: string): unknown {
  const steps = reference.replace(/^#\/?/, '').split('/').filter(Boolean)
  return steps.reduce<unknown>(
    (part, step) => (isObject(part) && Object.hasOwn(part, step) ? part[step] : undefined),
    root,
  )
}

const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
