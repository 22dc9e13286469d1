import { type JsonNode, JsonProblem, parseJson, placeIn } from './parse-json.ts'
import { TEXT_MAX, TooMuchError } from './reader-bounds.ts'

const VALUES_MAX = 50_000

export type ReadJson = { kind: 'json'; root: JsonNode } | { kind: 'problem'; reason: string }

export function readJson({ text }: { text: string }): ReadJson {
  if (text.length > TEXT_MAX) throw new TooMuchError()
  try {
    return { kind: 'json', root: parseJson(text, { partsMax: VALUES_MAX }) }
  } catch (error) {
    if (!(error instanceof JsonProblem)) throw error
    const { line, column } = placeIn(text, error.offset)
    return { kind: 'problem', reason: `line ${line}, column ${column}: ${error.message}` }
  }
}
