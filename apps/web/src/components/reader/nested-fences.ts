/** A block of Markdown that a model shows, in a fence that is no longer than those within it. */
const SHOWN_MARKDOWN = /^ {0,3}(`{3,}|~{3,})[ \t]*(?:markdown|mdx?)[ \t]*\r?$/i
const OPENING = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/
/** With a word behind it a fence can only open; without one it closes the last that is open. */
const INNER = /^ {0,3}(`{3,}|~{3,})[ \t]*([^\s`]*)[ \t]*\r?$/

/**
 * Widens the fence around Markdown that has fences of its own: by CommonMark's rule the first of those to close would end it,
 * and the rest of the text would be taken for the opposite of what it is.
 */
export function widenFences(text: string): string {
  const lines = text.split('\n')
  if (!lines.some((line) => SHOWN_MARKDOWN.test(line))) return text
  for (let at = 0; at < lines.length; at += 1) {
    const shown = SHOWN_MARKDOWN.exec(lines[at] ?? '')?.[1]
    const around = shown === undefined ? null : endOfNested({ lines, at, marks: shown })
    if (shown !== undefined && around !== null) {
      const wide = (shown[0] ?? '`').repeat(around.longest + 1)
      for (const edge of [at, around.end]) lines[edge] = lines[edge]?.replace(/[`~]+/, wide) ?? ''
      at = around.end
      continue
    }
    const marks = OPENING.exec(lines[at] ?? '')?.[1]
    if (marks !== undefined) at = endOfFence({ lines, at, marks })
  }
  return lines.join('\n')
}

interface Fence {
  lines: readonly string[]
  at: number
  marks: string
}

/** Where the fence ends if those within it are counted; null where there are none, or they don't come out even. */
function endOfNested({ lines, at, marks }: Fence): { end: number; longest: number } | null {
  let depth = 1
  let longest = 0
  for (let end = at + 1; end < lines.length; end += 1) {
    const [, inner, word] = INNER.exec(lines[end] ?? '') ?? []
    if (inner === undefined || !inner.startsWith(marks)) continue
    depth += word === '' ? -1 : 1
    if (depth === 0) return longest === 0 ? null : { end, longest }
    longest = Math.max(longest, inner.length)
  }
  return null
}

function endOfFence({ lines, at, marks }: Fence): number {
  const end = lines.findIndex((line, index) => {
    const [, closing, word] = INNER.exec(line) ?? []
    return index > at && word === '' && closing?.startsWith(marks)
  })
  return end === -1 ? lines.length : end
}
