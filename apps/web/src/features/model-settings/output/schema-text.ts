import { SCHEMA_LENGTH_MAX } from '@catenary/contracts'
import type { JsonSchema } from '@catenary/domain'
import { JsonProblem, parseJson, placeIn } from '../../../components/reader/parse-json.ts'
import { TooMuchError } from '../../../components/reader/reader-bounds.ts'

const VALUES_MAX = 10_000

export class NoSchema extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'NoSchema'
  }
}

/** Reads a JSON Schema as a person wrote or pasted it, once; throws `NoSchema`. */
export function readSchema(text: string): JsonSchema {
  if (text.length > SCHEMA_LENGTH_MAX) {
    throw new NoSchema(`The schema must be at most ${SCHEMA_LENGTH_MAX.toLocaleString('en')} characters`)
  }
  if (text.trim() === '') throw new NoSchema('The schema is empty')
  try {
    const root = parseJson(text, { partsMax: VALUES_MAX })
    if (root.kind !== 'object') throw new NoSchema('A schema is a JSON object')
    refuseDoubles(root)
  } catch (error) {
    throw new NoSchema(messageOf(error, text))
  }
  return inner(JSON.parse(text))
}

export function isPastedSchema(text: string): boolean {
  return (
    /^\s*\{/.test(text) && text.length <= SCHEMA_LENGTH_MAX && /"(properties|\$schema|schema)"\s*:/.test(text)
  )
}

export function textOfSchema(schema: JsonSchema): string {
  return JSON.stringify(schema, null, 2)
}

function messageOf(error: unknown, text: string): string {
  if (error instanceof NoSchema) return error.message
  if (error instanceof TooMuchError) return 'The schema has too many parts'
  if (!(error instanceof JsonProblem)) throw error
  const { line, column } = placeIn(text, error.offset)
  return `Line ${line}, column ${column}: ${error.message}`
}

/** If a name is there twice, all but the last would be lost. */
function refuseDoubles(root: ReturnType<typeof parseJson>): void {
  const left = [root]
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    if (node.kind === 'list') left.push(...node.items)
    if (node.kind !== 'object') continue
    const names = new Set<string>()
    for (const { name, node: value } of node.entries) {
      if (names.has(name)) throw new NoSchema(`“${name}” appears twice in the same object`)
      names.add(name)
      left.push(value)
    }
  }
}

/** The schema within what OpenAI's requests wrap around it. */
function inner(value: JsonSchema): JsonSchema {
  const { type, json_schema: wrapped = value } = value
  const { schema } = wrapped as JsonSchema
  const isWrapped = type === undefined || type === 'json_schema'
  return isWrapped && typeof schema === 'object' && schema !== null ? (schema as JsonSchema) : value
}
