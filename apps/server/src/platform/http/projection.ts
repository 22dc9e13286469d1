import * as z from 'zod'

type Project = (value: unknown) => unknown

const LEAVES = new Set(['string', 'number', 'boolean', 'enum', 'literal', 'null', 'unknown', 'void'])

const made = new WeakMap<z.ZodType, Project>()

/** Leaves what the schema names and no more, without validating each value again: for long lists of own rows. */
export function projectionOf(schema: z.ZodType): Project {
  const project = made.get(schema) ?? makeProjection(schema)
  made.set(schema, project)
  return project
}

function makeProjection(schema: z.ZodType): Project {
  if (schema instanceof z.ZodObject) return projectionOfObject(schema)
  if (schema instanceof z.ZodArray) {
    const item = projectionOf(schema.element as z.ZodType)
    return (value) => (Array.isArray(value) ? value.map(item) : value)
  }
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return projectionOf(schema.unwrap() as z.ZodType)
  }
  if (schema instanceof z.ZodRecord) return projectionOfRecord(schema)
  if (schema instanceof z.ZodDiscriminatedUnion) return projectionOfVariants(schema)
  if (LEAVES.has(schema.type)) return (value) => value
  throw new Error(
    'A list can be written from objects, told apart by a field, arrays, records and plain values only',
  )
}

function projectionOfVariants({ options, def }: z.ZodDiscriminatedUnion): Project {
  const variants = new Map<unknown, Project>()
  for (const option of options) {
    const project = projectionOf(option as z.ZodType)
    const field = (option as z.ZodObject).shape[def.discriminator] as z.ZodEnum | z.ZodLiteral
    const names = field instanceof z.ZodLiteral ? [...field.values] : field.options
    for (const name of names) variants.set(name, project)
  }
  return (value) => {
    const name = (value as Record<string, unknown>)[def.discriminator]
    const project = variants.get(name)
    if (project === undefined) throw new Error(`A list holds what its schema does not name: ${name}`)
    return project(value)
  }
}

function projectionOfRecord({ valueType }: z.ZodRecord): Project {
  const project = projectionOf(valueType as z.ZodType)
  return (value) =>
    typeof value === 'object' && value !== null
      ? Object.fromEntries(Object.entries(value).map(([key, each]) => [key, project(each)]))
      : value
}

function projectionOfObject(schema: z.ZodObject): Project {
  const fields = Object.entries(schema.shape).map(([key, field]) => ({
    key,
    project: projectionOf(field as z.ZodType),
  }))
  return (value) => {
    if (typeof value !== 'object' || value === null) return value
    const source = value as Record<string, unknown>
    const shown: Record<string, unknown> = {}
    for (const { key, project } of fields) shown[key] = project(source[key])
    return shown
  }
}
