import { type PathStep, writePath } from './paths.ts'
import { isSchema, type JsonSchema, propertiesOf, requiredOf, typeOf } from './schema-node.ts'
import { completeSchema } from './vendors.ts'

interface Both {
  own: JsonSchema
  callers: JsonSchema
  path: PathStep[]
}

/**
 * Why no answer can match both schemas; undefined where one may. `checkSchema` finds no problem in the own one; the
 * caller's may be anything, and what its keywords don't tell counts as met.
 */
export function findConflict(own: JsonSchema, callers: JsonSchema): string | undefined {
  return conflictOf({ own: completeSchema(own), callers, path: [] })
}

function conflictOf({ own, callers, path }: Both): string | undefined {
  const at = path.length === 0 ? 'the answer' : writePath(path)
  const types = namesOf(own).filter((name) => takesType(callers, name))
  if (types.length === 0)
    return `${at} is ${namesOf(own).join(' or ')} there, not ${namesOf(callers).join(' or ')}`
  // What takes null on both sides can be null, whatever else they ask.
  if (types.includes('null')) return undefined
  const values = valuesOf(own)
  const asked = valuesOf(callers)
  if (values && asked && !values.some((value) => asked.some((other) => isSame(value, other))))
    return `${at} has no value that both list`
  return boundsConflict({ own, callers, path }) ?? fieldConflict({ own, callers, path })
}

function fieldConflict({ own, callers, path }: Both): string | undefined {
  const type = typeOf(own)?.type
  if (
    type === 'array' &&
    isSchema(own.items) &&
    isSchema(callers.items) &&
    leastOf(own, callers, 'minItems') > 0
  )
    return conflictOf({ own: own.items, callers: callers.items, path: [...path, 0] })
  if (type !== 'object') return undefined
  const there = new Map(propertiesOf(own))
  const asked = new Map(propertiesOf(callers))
  const required = [...requiredOf(own), ...requiredOf(callers)].filter((name) => typeof name === 'string')
  const isClosed = callers.additionalProperties === false && callers.patternProperties === undefined
  for (const name of required) {
    const [mine, theirs] = [there.get(name), asked.get(name)]
    const field = writePath([...path, name])
    if (mine === undefined) return `${field} is not a field there`
    if (theirs === undefined && isClosed && !isListed(callers, name))
      return `${field} is always returned there, but the schema in the request does not allow it`
    const conflict = theirs && conflictOf({ own: mine, callers: theirs, path: [...path, name] })
    if (conflict !== undefined) return conflict
  }
  return undefined
}

/** A field may be allowed by `true`, which is no schema to look into. */
const isListed = ({ properties }: JsonSchema, name: string): boolean =>
  isSchema(properties) && Object.hasOwn(properties, name)

const RANGES = [
  ['minimum', 'maximum'],
  ['minItems', 'maxItems'],
  ['minLength', 'maxLength'],
] as const
const OF_TYPE: Record<string, readonly string[]> = {
  minimum: ['number', 'integer'],
  minItems: ['array'],
  minLength: ['string'],
}

function boundsConflict({ own, callers, path }: Both): string | undefined {
  const type = typeOf(own)?.type ?? ''
  for (const [least, most] of RANGES) {
    if (!OF_TYPE[least]?.includes(type)) continue
    const [from, to] = [leastOf(own, callers, least), mostOf(own, callers, most)]
    if (from > to)
      return `${path.length === 0 ? 'the answer' : writePath(path)}: ${least} ${from} is more than ${most} ${to}`
  }
  return undefined
}

const numbersOf = (parts: JsonSchema[], keyword: string): number[] =>
  parts.map((part) => part[keyword]).filter((value) => typeof value === 'number')
const leastOf = (own: JsonSchema, callers: JsonSchema, keyword: string): number =>
  Math.max(...numbersOf([own, callers], keyword), Number.NEGATIVE_INFINITY)
const mostOf = (own: JsonSchema, callers: JsonSchema, keyword: string): number =>
  Math.min(...numbersOf([own, callers], keyword), Number.POSITIVE_INFINITY)

const namesOf = ({ type }: JsonSchema): string[] =>
  (Array.isArray(type) ? type : [type]).filter((name) => typeof name === 'string')

function takesType(callers: JsonSchema, name: string): boolean {
  const names = namesOf(callers)
  if (names.length === 0 || names.includes(name)) return true
  return (name === 'integer' && names.includes('number')) || (name === 'number' && names.includes('integer'))
}

function valuesOf(part: JsonSchema): unknown[] | undefined {
  if (Object.hasOwn(part, 'const')) return [part.const]
  return Array.isArray(part.enum) ? part.enum : undefined
}

/** The own schema has no groups in lists of values. */
const isSame = (value: unknown, other: unknown): boolean => value === other
