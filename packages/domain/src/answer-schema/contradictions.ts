import type { JsonSchema, SchemaType } from './schema-node.ts'

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
export function findContradictions(part: JsonSchema, { type, isNullable }: Typed): string[] {
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
    found.push('Its type takes null, its enum does not: add null to enum, or take it out of the type')
  const outside = values.find((value) => isOutside(value, { part, type }))
  if (outside !== undefined) found.push(`enum lists ${shown(outside)}, which the other bounds refuse`)
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
