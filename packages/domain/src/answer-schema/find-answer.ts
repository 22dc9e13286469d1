const FENCED = /^\s*```(?:json)?[ \t]*\n([\s\S]*?)\n[ \t]*```\s*$/
/** Braces, and the texts in which they mean nothing; a text ends in its line, as words may have a single quote mark. */
const MARKS = /"[^"\\\n]*(?:\\.[^"\\\n]*)*"|[{}]/g

interface FoundAnswer {
  value: unknown
  text: string
}

/** The JSON that a text is, or that stands in it: in a fence, or as its one object among other words; undefined: none. */
export function findAnswer(text: string): FoundAnswer | undefined {
  return read(text) ?? read(FENCED.exec(text)?.[1]) ?? findOneObject(text)
}

/** With two objects nobody knows which is the answer. */
function findOneObject(text: string): FoundAnswer | undefined {
  const found = objectsIn(text).flatMap(({ start, end }) => read(text.slice(start, end)) ?? [])
  return found.length === 1 ? found[0] : undefined
}

interface Span {
  start: number
  end: number
}

/** The outermost balanced braces of a text. Linear, whatever it is. */
function objectsIn(text: string): Span[] {
  const spans: Span[] = []
  const open: number[] = []
  for (const { 0: mark, index } of text.matchAll(MARKS)) {
    if (mark === '{') open.push(index)
    else if (mark === '}') {
      const start = open.pop()
      if (start === undefined) continue
      while ((spans.at(-1)?.start ?? -1) > start) spans.pop()
      spans.push({ start, end: index + 1 })
    }
  }
  return spans
}

function read(source: string | undefined): FoundAnswer | undefined {
  if (source === undefined) return undefined
  try {
    return { value: JSON.parse(source), text: source }
  } catch {
    return undefined
  }
}
