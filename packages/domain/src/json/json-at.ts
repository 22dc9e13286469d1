import { indexOf, type PathStep } from '../answer-schema/paths.ts'
import { isClosing, isJson, isOpening, tokensOf } from './json-tokens.ts'

export interface JsonText {
  /**
   * Digit by digit and key by key, but for white space between tokens; undefined: nothing is there. Of two equal
   * names the last counts, as for every parser.
   */
  at(steps: readonly PathStep[]): string | undefined
  items(): string[] | undefined
}

export function readJsonText(text: string): JsonText | undefined {
  if (!isJson(text)) return undefined
  const tokens = [...tokensOf(text)]
  return {
    at(steps) {
      let from: number | undefined = 0
      for (const step of steps) {
        from = stepInto(tokens, { from, step })
        if (from === undefined) return undefined
      }
      return tokens.slice(from, endOf(tokens, from)).join('')
    },
    items() {
      if (tokens[0] !== '[') return undefined
      const items: string[] = []
      for (let at = 1; at < tokens.length - 1; ) {
        const end = endOf(tokens, at)
        items.push(tokens.slice(at, end).join(''))
        at = next(tokens, end)
      }
      return items
    },
  }
}

/** What a value says in a text: a text as it is, anything else as its JSON. */
export const sayJson = (json: string): string => (json.startsWith('"') ? String(JSON.parse(json)) : json)

function stepInto(
  tokens: readonly string[],
  { from, step }: { from: number; step: PathStep },
): number | undefined {
  if (tokens[from] === '{')
    return typeof step === 'string' ? fieldAt(tokens, { from, name: step }) : undefined
  const index = indexOf(step)
  return index === undefined ? undefined : itemAt(tokens, { from, index })
}

function fieldAt(
  tokens: readonly string[],
  { from, name }: { from: number; name: string },
): number | undefined {
  if (tokens[from] !== '{') return undefined
  let found: number | undefined
  for (let at = from + 1; at < tokens.length && tokens[at] !== '}'; ) {
    // The name, a colon, the value.
    if (JSON.parse(tokens[at] ?? '""') === name) found = at + 2
    at = next(tokens, endOf(tokens, at + 2))
  }
  return found
}

function itemAt(
  tokens: readonly string[],
  { from, index }: { from: number; index: number },
): number | undefined {
  if (tokens[from] !== '[') return undefined
  let at = from + 1
  for (let place = 0; place < index && tokens[at] !== ']'; place++) at = next(tokens, endOf(tokens, at))
  return tokens[at] === ']' ? undefined : at
}

const next = (tokens: readonly string[], at: number): number => (tokens[at] === ',' ? at + 1 : at)

function endOf(tokens: readonly string[], from: number): number {
  let depth = 0
  for (let at = from; at < tokens.length; at++) {
    const token = tokens[at] ?? ''
    if (isOpening(token)) depth++
    else if (isClosing(token)) depth--
    if (depth === 0) return at + 1
  }
  return tokens.length
}
