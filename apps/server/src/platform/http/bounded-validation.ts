import { validatorCompiler } from 'fastify-type-provider-zod'
import type {
  $ZodArray,
  $ZodCheckMaxLengthDef,
  $ZodRecord,
  $ZodType,
  ParseContextInternal,
  ParsePayload,
} from 'zod/v4/core'

/** A reply names no more; what is wrong beyond is not looked for. */
const ISSUES_MAX = 20
const PARTS = [
  'element',
  'keyType',
  'valueType',
  'innerType',
  'in',
  'out',
  'left',
  'right',
  'rest',
  'catchall',
]
const LISTS_OF_PARTS = ['shape', 'options', 'items']

type Route = Parameters<typeof validatorCompiler>[0]
type Parse = (payload: ParsePayload, context: ParseContextInternal) => ParsePayload | Promise<ParsePayload>

const bounded = new WeakSet<$ZodType>()

export function boundedValidatorCompiler(route: Route): ReturnType<typeof validatorCompiler> {
  boundValidation(route.schema as $ZodType)
  return validatorCompiler(route)
}

/**
 * Zod checks all of a list, a record or a text, however wrong: this schema stops once enough is wrong, and reads no
 * more of a text than it takes to refuse it for its length.
 */
export function boundValidation(root: $ZodType): void {
  if (bounded.has(root)) return
  const rest = [root]
  for (let schema = rest.pop(); schema !== undefined; schema = rest.pop()) {
    if (bounded.has(schema)) continue
    bounded.add(schema)
    const { def } = schema._zod
    if (def.type === 'array') boundList(schema as $ZodArray)
    if (def.type === 'record') boundRecord(schema as $ZodRecord)
    if (def.type === 'string') boundText(schema)
    rest.push(...partsOf(schema))
  }
}

function partsOf({ _zod: zod }: $ZodType): $ZodType[] {
  const def = zod.def as unknown as Record<string, unknown>
  const inner = 'innerType' in zod ? zod.innerType : undefined
  const parts = [inner, ...PARTS.map((name) => def[name])]
  const lists = LISTS_OF_PARTS.flatMap((name) => Object.values(Object(def[name])))
  return [...parts, ...lists].filter((part): part is $ZodType => '_zod' in Object(part))
}

function mostOf({ _zod: { def } }: $ZodType): number {
  const checks = (def.checks ?? []).map(({ _zod: check }) => check.def as $ZodCheckMaxLengthDef)
  const bounds = checks.filter(({ check }) => check === 'max_length').map(({ maximum }) => maximum)
  return Math.min(Number.POSITIVE_INFINITY, ...bounds)
}

/** How much longer than allowed a text is, of which a part is looked at. */
const TOO_LONG_BY = 10_000

function boundText(schema: $ZodType): void {
  const zod = schema._zod as { run: Parse }
  const most = mostOf(schema) + TOO_LONG_BY
  const own = zod.run
  zod.run = (payload, context) => {
    const { value } = payload
    if (typeof value !== 'string' || value.length <= most || context.async !== false)
      return own(payload, context)
    const text = value.trim()
    if (text.length <= most) {
      // As many of its blanks as make it too long for a schema that doesn't trim.
      const at = value.indexOf(text)
      payload.value = value.slice(Math.max(0, at - most), at + text.length + most)
      return own(payload, context)
    }
    const part = own({ value: text.slice(0, most), issues: [] }, context) as ParsePayload
    // What its schema shortens may be right as a whole.
    if (part.issues.length === 0) return own(payload, context)
    payload.issues.push(...part.issues)
    return payload
  }
}

function boundList(schema: $ZodArray): void {
  const most = mostOf(schema)
  inParts(schema, (list) => {
    // Zod refuses what is too long before it looks at an item.
    if (!Array.isArray(list) || list.length > most) return undefined
    const items: unknown[] = []
    return {
      size: list.length,
      part: (from, to) => list.slice(from, to),
      take: ({ value }) => items.push(...(value as unknown[])),
      shift: (issue, from) => {
        if (issue.path !== undefined) issue.path[0] = Number(issue.path[0]) + from
      },
      whole: items,
    }
  })
}

function boundRecord(schema: $ZodRecord): void {
  // One whose keys are known is as short as they are few.
  if (schema._zod.def.keyType._zod.values !== undefined) return
  inParts(schema, (record) => {
    if (typeof record !== 'object' || record === null || Array.isArray(record)) return undefined
    const entries = Object.entries(record)
    const whole = {}
    return {
      size: entries.length,
      part: (from, to) => Object.fromEntries(entries.slice(from, to)),
      take: ({ value }) => Object.assign(whole, value),
      shift: () => {},
      whole,
    }
  })
}

interface Parts {
  size: number
  part: (from: number, to: number) => unknown
  take: (parsed: ParsePayload) => unknown
  shift: (issue: ParsePayload['issues'][number], from: number) => void
  whole: unknown
}

function inParts(schema: $ZodType, takeApart: (value: unknown) => Parts | undefined): void {
  const zod = schema._zod as { parse: Parse; run: Parse }
  let own = zod.parse
  const parse: Parse = (payload, context) => {
    const parts =
      context.async === false && context.direction !== 'backward' ? takeApart(payload.value) : undefined
    if (parts === undefined || parts.size <= ISSUES_MAX) return own(payload, context)
    for (let from = 0; from < parts.size; from += ISSUES_MAX) {
      const value = parts.part(from, from + ISSUES_MAX)
      const parsed = own({ value, issues: [] }, context) as ParsePayload
      for (const issue of parsed.issues) parts.shift(issue, from)
      payload.issues.push(...parsed.issues)
      if (payload.issues.length >= ISSUES_MAX) return payload
      parts.take(parsed)
    }
    payload.value = parts.whole
    return payload
  }
  // One without checks runs its parser itself.
  if (zod.run === own) zod.run = parse
  // At its first parse a schema that holds no circle takes Zod's watch for circles out, by setting its parser again.
  Object.defineProperty(zod, 'parse', {
    get: () => parse,
    set: (next: Parse) => {
      own = next
    },
  })
}
