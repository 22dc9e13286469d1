/** What is read of a schema of the OpenAPI document. */
export interface JsonSchema {
  $ref?: string
  type?: string | string[]
  const?: unknown
  properties?: Record<string, JsonSchema>
  items?: JsonSchema
  additionalProperties?: JsonSchema | boolean
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
  maxItems?: number
}

/** A place of a body that takes as much as its sender likes. */
export interface Place {
  name: string
  kind: 'list' | 'record' | 'text'
  schema: JsonSchema
  /** The smallest body that has the value there. */
  bodyOf: (value: unknown) => unknown
}

const LEVELS = 6

/** All places of a schema, in each branch of its unions. */
export function placesOf(schema: JsonSchema, resolve: Resolve): Place[] {
  return walk({ name: '', schema, bodyOf: (value) => value }, resolve, 0)
}

/** What is named elsewhere in the document; a schema that holds itself names what is not there. */
type Resolve = (ref: string) => JsonSchema | undefined
type Spot = Omit<Place, 'kind'>

function walk(spot: Spot, resolve: Resolve, level: number): Place[] {
  const { name, bodyOf } = spot
  const schema = spot.schema.$ref === undefined ? spot.schema : (resolve(spot.schema.$ref) ?? {})
  if (level > LEVELS) return []
  const into = (next: Spot) => walk(next, resolve, level + 1)
  const branches = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]
  const places = branches.flatMap((branch, index) =>
    into({ name: `${name}|${index}`, schema: branch, bodyOf }),
  )
  const here = (kind: Place['kind']): Place => ({ name: `${name}:${kind}`, kind, schema, bodyOf })
  if (schema.type === 'string') places.push(here('text'))
  if (schema.items !== undefined) {
    const within = (value: unknown) => bodyOf([value])
    places.push(here('list'), ...into({ name: `${name}[]`, schema: schema.items, bodyOf: within }))
  }
  const { additionalProperties: values } = schema
  if (typeof values === 'object') {
    const within = (value: unknown) => bodyOf({ key: value })
    places.push(here('record'), ...into({ name: `${name}.*`, schema: values, bodyOf: within }))
  }
  const chosen = constantsOf(schema)
  for (const [key, property] of Object.entries(schema.properties ?? {})) {
    const within = (value: unknown) => bodyOf({ ...chosen, [key]: value })
    places.push(...into({ name: `${name}.${key}`, schema: property, bodyOf: within }))
  }
  return places
}

/** By what a union tells which branch is meant. */
export function constantsOf({ properties = {} }: JsonSchema): Record<string, unknown> {
  const entries = Object.entries(properties).filter(([, property]) => property.const !== undefined)
  return Object.fromEntries(entries.map(([key, property]) => [key, property.const]))
}
