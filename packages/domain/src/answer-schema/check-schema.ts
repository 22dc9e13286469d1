import { SCHEMA_LENGTH_MAX } from '@catenary/contracts'
import { FORMATS, isSchema, type JsonSchema, type SchemaType, typeOf } from './schema-node.ts'
import { takes, VENDOR_NAMES, VENDORS, type Vendor } from './vendors.ts'

const SCHEMA_DEPTH_MAX = 5
const SCHEMA_PROPERTIES_MAX = 100
const SCHEMA_VALUES_MAX = 250

/** A place in a schema, as `items[].title`; empty for the whole. */
interface Placed {
  path: string
  message: string
}

type SchemaProblem = Placed

/** What a vendor is not told: the answer is checked for it all the same. */
export interface SchemaNote extends Placed {
  vendor: Vendor
}

export interface SchemaCheck {
  problems: SchemaProblem[]
  notes: SchemaNote[]
}

const ANY = ['type', 'title', 'description', 'enum'] as const
const KEYWORDS: Record<SchemaType, readonly string[]> = {
  object: [...ANY, 'properties', 'required', 'additionalProperties'],
  array: [...ANY, 'items', 'minItems', 'maxItems'],
  string: [...ANY, 'format', 'pattern', 'minLength', 'maxLength'],
  number: [...ANY, 'minimum', 'maximum'],
  integer: [...ANY, 'minimum', 'maximum'],
  boolean: ANY,
}
const NUMBERS = ['minimum', 'maximum']
const COUNTS = ['minItems', 'maxItems', 'minLength', 'maxLength']
const TEXTS = ['title', 'description', 'pattern']
const PROBLEMS_MAX = 20

interface Walk extends SchemaCheck {
  properties: number
}

/** What of a schema can't be asked of every vendor, and what of it only we check. Linear; descends five levels only. */
export function checkSchema(schema: JsonSchema): SchemaCheck {
  const walk: Walk = { problems: [], notes: [], properties: 0 }
  const { $schema: _, ...root } = schema
  const typed = typeOf(root)
  if (typed?.type !== 'object' || typed.isNullable) {
    add(walk, '', 'The whole answer must have the type object')
  } else {
    checkPart(walk, { part: root, path: '', depth: 1 })
    if (walk.properties === 0) add(walk, '', 'Add at least one field')
    if (walk.properties > SCHEMA_PROPERTIES_MAX) {
      add(walk, '', `It has ${walk.properties} fields; at most ${SCHEMA_PROPERTIES_MAX} are allowed`)
    }
  }
  // What is nested too deep to be written down has been found before.
  if (walk.problems.length === 0 && JSON.stringify(root).length > SCHEMA_LENGTH_MAX) {
    add(walk, '', `The schema must be at most ${SCHEMA_LENGTH_MAX.toLocaleString('en')} characters`)
  }
  return { problems: walk.problems, notes: walk.notes }
}

function add({ problems }: Walk, path: string, message: string): void {
  // A schema of nothing but mistakes needs no list of them all.
  if (problems.length < PROBLEMS_MAX) problems.push({ path, message })
}

interface Part {
  part: JsonSchema
  path: string
  depth: number
}

function checkPart(walk: Walk, { part, path, depth }: Part): void {
  const typed = typeOf(part)
  if (typed === undefined) {
    const other = ['$ref', 'anyOf', 'oneOf', 'allOf', 'const', 'not'].find((name) =>
      Object.hasOwn(part, name),
    )
    const message = other === undefined ? 'Give it one type' : `${other} is not supported. Give it one type`
    add(walk, path, message)
    return
  }
  const { type } = typed
  for (const [keyword, value] of Object.entries(part)) {
    if (!KEYWORDS[type].includes(keyword)) {
      add(walk, path, `${clipName(keyword)} is not supported for the type ${type}`)
      continue
    }
    const problem = problemOf({ keyword, value, type, part })
    if (problem !== undefined) add(walk, path, problem)
    else noteVendors(walk, { keyword, value, path })
  }
  for (const problem of findContradictions(part, typed)) add(walk, path, problem)
  if (depth > SCHEMA_DEPTH_MAX) add(walk, path, `Nested more than ${SCHEMA_DEPTH_MAX} levels deep`)
  else if (type === 'object') checkProperties(walk, { part, path, depth })
  else if (type === 'array') checkItems(walk, { part, path, depth })
}

function checkProperties(walk: Walk, { part, path, depth }: Part): void {
  const properties = isSchema(part.properties) ? Object.entries(part.properties) : []
  walk.properties += properties.length
  const names = new Set(properties.map(([name]) => name))
  for (const name of Array.isArray(part.required) ? part.required : []) {
    if (!names.has(String(name)))
      add(walk, path, `required lists ${clipName(String(name))}, which is not a field`)
  }
  for (const [name, inner] of properties) {
    const at = path === '' ? clipName(name) : `${path}.${clipName(name)}`
    if (name === '' || name === '__proto__') add(walk, at, `A field can’t be named “${name}”`)
    else if (isSchema(inner)) checkPart(walk, { part: inner, path: at, depth: depthWithin(inner, depth) })
    else add(walk, at, 'Must be a schema')
  }
}

function checkItems(walk: Walk, { part, path, depth }: Part): void {
  const at = `${path}[]`
  if (!isSchema(part.items)) add(walk, path, 'Set items to say what the list contains')
  else
    checkPart(walk, {
      part: part.items,
      path: at,
      depth: typeOf(part.items)?.type === 'array' ? depth + 1 : depth,
    })
}

/** A list of groups is one level, as a group is. */
function depthWithin(inner: JsonSchema, depth: number): number {
  const type = typeOf(inner)?.type
  return type === 'object' || type === 'array' ? depth + 1 : depth
}

function problemOf({
  keyword,
  value,
  type,
  part,
}: {
  keyword: string
  value: unknown
  type: SchemaType
  part: JsonSchema
}): string | undefined {
  if (NUMBERS.includes(keyword) && !Number.isFinite(value)) return `${keyword} must be a number`
  if (COUNTS.includes(keyword) && !(Number.isInteger(value) && Number(value) >= 0)) {
    return `${keyword} must be a whole number`
  }
  if (TEXTS.includes(keyword) && typeof value !== 'string') return `${keyword} must be a text`
  if (keyword === 'pattern' && !isPattern(String(value))) return 'pattern is not a valid pattern'
  if (keyword === 'format' && !FORMATS.some((format) => format === value)) {
    return `format must be one of ${FORMATS.join(', ')}`
  }
  if (keyword === 'additionalProperties' && value !== false) {
    return 'additionalProperties must be false, as providers return no other fields'
  }
  if (keyword === 'properties' && !isSchema(value)) return 'properties must be an object'
  if (keyword === 'required') return problemOfNames(value)
  return keyword === 'enum' ? problemOfValues({ value, type, part }) : undefined
}

function problemOfNames(value: unknown): string | undefined {
  if (!Array.isArray(value) || !value.every((each) => typeof each === 'string'))
    return 'required must be a list of names'
  const seen = new Set<string>()
  const twice = value.find((each) => seen.size === seen.add(each).size)
  return twice === undefined ? undefined : `required lists ${clipName(twice)} twice`
}

function problemOfValues({ value, type, part }: { value: unknown; type: SchemaType; part: JsonSchema }) {
  if (!Array.isArray(value) || value.length === 0) return 'enum must list at least one value'
  if (value.length > SCHEMA_VALUES_MAX) return `enum lists more than ${SCHEMA_VALUES_MAX} values`
  if (type === 'object' || type === 'array' || type === 'boolean')
    return `enum is not supported for the type ${type}`
  const isNullable = typeOf(part)?.isNullable === true
  const isKind = (each: unknown) =>
    (isNullable && each === null) || (type === 'string' ? typeof each === 'string' : Number.isFinite(each))
  if (!value.every(isKind)) return `enum must list values of the type ${type}`
  return new Set(value).size < value.length ? 'enum lists a value twice' : undefined
}

function isPattern(source: string): boolean {
  try {
    return new RegExp(source, 'u') !== undefined
  } catch {
    return false
  }
}

function noteVendors(
  walk: Walk,
  { keyword, value, path }: { keyword: string; value: unknown; path: string },
): void {
  for (const vendor of VENDORS) {
    if (takes({ vendor, keyword, value })) continue
    const said = keyword === 'format' ? `the format ${value}` : keyword
    const message = `${VENDOR_NAMES[vendor]} is told about ${said} in words only; the answer is checked for it`
    walk.notes.push({ vendor, path, message })
  }
}

const NAME_SHOWN_MAX = 60
const clipName = (name: string): string => name.slice(0, NAME_SHOWN_MAX).toWellFormed()

interface Typed {
  type: SchemaType
  isNullable: boolean
}

const PAIRS = [
  ['minimum', 'maximum'],
  ['minItems', 'maxItems'],
  ['minLength', 'maxLength'],
] as const

/** What no answer can meet: it would be asked for, paid for, and refused. */
function findContradictions(part: JsonSchema, { type, isNullable }: Typed): string[] {
  const found: string[] = PAIRS.flatMap(([least, most]) => {
    const [from, to] = [part[least], part[most]]
    return typeof from === 'number' && typeof to === 'number' && from > to
      ? `${least} ${from} is more than ${most} ${to}`
      : []
  })
  const { minimum, maximum, enum: values } = part
  if (
    found.length === 0 &&
    type === 'integer' &&
    typeof minimum === 'number' &&
    typeof maximum === 'number'
  ) {
    if (Math.ceil(minimum) > Math.floor(maximum))
      found.push(`There is no whole number from ${minimum} to ${maximum}`)
  }
  if (!Array.isArray(values)) return found
  if (isNullable && !values.includes(null))
    found.push('Its type allows null but its enum does not. Add null to enum, or remove it from the type')
  const outside = values.find((value) => isOutside(value, { part, type }))
  if (outside !== undefined) found.push(`enum lists ${shown(outside)}, which the other limits exclude`)
  return found
}

function isOutside(value: unknown, { part, type }: { part: JsonSchema; type: SchemaType }): boolean {
  const isWithin = (measure: number, [least, most]: readonly [unknown, unknown]) =>
    !(typeof least === 'number' && measure < least) && !(typeof most === 'number' && measure > most)
  if (typeof value === 'string') return !isWithin([...value].length, [part.minLength, part.maxLength])
  if (typeof value !== 'number') return false
  if (type === 'integer' && !Number.isInteger(value)) return true
  return !isWithin(value, [part.minimum, part.maximum])
}

const SHOWN_MAX = 60
const shown = (value: unknown): string => JSON.stringify(value).slice(0, SHOWN_MAX).toWellFormed()
