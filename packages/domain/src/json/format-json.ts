import { isClosing, isJson, isOpening, tokensOf } from './json-tokens.ts'

const INDENT = '  '
/** Deeply nested brackets would grow with the square of their depth. */
const GROWTH_MAX = 4

/** JSON with an indent of two spaces: white space between tokens changes, never a token, nor their order; undefined for what is not JSON. */
export function formatJson(text: string): string | undefined {
  if (!isJson(text)) return undefined
  const limit = 10_000 + text.length * GROWTH_MAX
  const parts: string[] = []
  let depth = 0
  let length = 0
  const write = (part: string): void => {
    parts.push(part)
    length += part.length
  }
  const newLine = (): void => write(`\n${INDENT.repeat(depth)}`)
  let previous = ''
  for (const token of tokensOf(text)) {
    const closes = isClosing(token)
    if (closes) depth -= 1
    if (previous === ',' || (isOpening(previous) && !closes) || (closes && !isOpening(previous))) newLine()
    write(token === ':' ? ': ' : token)
    if (isOpening(token)) depth += 1
    if (length > limit) return text
    previous = token
  }
  return parts.join('')
}
