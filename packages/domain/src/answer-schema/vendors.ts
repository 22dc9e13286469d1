import { type JsonSchema, mapSchema, nullable, propertiesOf, requiredOf, typeOf } from './schema-node.ts'

/** Any OpenAI-compatible server counts as OpenAI. */
export const VENDORS = ['anthropic', 'openai', 'gemini'] as const
export type Vendor = (typeof VENDORS)[number]
export const VENDOR_NAMES: Record<Vendor, string> = {
  anthropic: 'Anthropic',
  openai: 'OpenAI',
  gemini: 'Gemini',
}

/** Keywords beyond those that all take, as each vendor documents them. */
const BEYOND: Record<Vendor, (keyword: string, value: unknown) => boolean> = {
  anthropic: (keyword, value) =>
    keyword === 'format' || (keyword === 'minItems' && (value === 0 || value === 1)),
  openai: (keyword, value) =>
    ['pattern', 'minimum', 'maximum', 'minItems', 'maxItems'].includes(keyword) ||
    (keyword === 'format' && value !== 'uri'),
  gemini: (keyword, value) =>
    ['minimum', 'maximum', 'minItems', 'maxItems'].includes(keyword) ||
    (keyword === 'format' && ['date', 'time', 'date-time'].includes(String(value))),
}
const BOUNDS = ['format', 'pattern', 'minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems']

export function takes({
  vendor,
  keyword,
  value,
}: {
  vendor: Vendor
  keyword: string
  value: unknown
}): boolean {
  return !BOUNDS.includes(keyword) || BEYOND[vendor](keyword, value)
}

/** For a schema in which `checkSchema` finds no problem; what the vendor does not take is said in words. */
export function forVendor(schema: JsonSchema, vendor: Vendor): JsonSchema {
  const whole = completeSchema(schema)
  return mapSchema(whole, (part) => {
    const told = sayInWords(part, vendor)
    return vendor === 'openai' ? requireAll(told) : told
  })
}

/** As meant: an object has only the fields that it names. */
export function completeSchema(schema: JsonSchema): JsonSchema {
  const { $schema: _, ...root } = schema
  return mapSchema(root, (part) => {
    if (typeOf(part)?.type !== 'object') return part
    return {
      ...part,
      properties: part.properties ?? {},
      required: part.required ?? [],
      additionalProperties: false,
    }
  })
}

/** null stands for an optional field that is left out, as OpenAI's models leave it out. */
export function schemaToCheck(schema: JsonSchema): JsonSchema {
  return mapSchema(completeSchema(schema), (part) => withNullable(part))
}

/** OpenAI wants each field required, and takes null for what is left out. */
function requireAll(part: JsonSchema): JsonSchema {
  if (typeOf(part)?.type !== 'object') return part
  return { ...withNullable(part), required: propertiesOf(part).map(([name]) => name) }
}

function withNullable(part: JsonSchema): JsonSchema {
  if (typeOf(part)?.type !== 'object') return part
  const required = requiredOf(part)
  const properties = propertiesOf(part).map(([name, inner]) => [
    name,
    required.has(name) ? inner : nullable(inner),
  ])
  return { ...part, properties: Object.fromEntries(properties) }
}

function sayInWords(part: JsonSchema, vendor: Vendor): JsonSchema {
  const untold = Object.entries(part).filter(([keyword, value]) => !takes({ vendor, keyword, value }))
  if (untold.length === 0) return part
  const kept = Object.entries(part).filter(([keyword]) => untold.every(([name]) => name !== keyword))
  const words = `{${untold.map(([keyword, value]) => `${keyword}: ${JSON.stringify(value)}`).join(', ')}}`
  const description = part.description === undefined ? words : `${part.description}\n\n${words}`
  return { ...Object.fromEntries(kept), description }
}
