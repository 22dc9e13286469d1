import type { ElementContent } from 'hast'

/** What a piece of HTML stands in. */
interface Parent {
  type: string
  tagName?: string
}

/** Of a table's cell models have no other way to break a line. */
const LINE_END = /<br[ \t]*\/?>(?:\r?\n)?|\r?\n/i

/** HTML of a text with Markdown as it is written: its lines end where they end, and a bare `<br>` ends one. */
export function linesOfMarkup({ parent, value }: { parent: Parent; value: string }): ElementContent[] {
  const text = withoutLastEnds(value)
  const lines = text.split(LINE_END)
  const broken = lines.flatMap((line, index): ElementContent[] => [
    ...(index === 0 ? [] : [{ type: 'element' as const, tagName: 'br', properties: {}, children: [] }]),
    ...(line === '' ? [] : [{ type: 'text' as const, value: line }]),
  ])
  if (!standsAlone({ parent, value: text })) return broken
  return [{ type: 'element', tagName: 'p', properties: { className: ['raw-lines'] }, children: broken }]
}

/** How many empty lines belong to it depends on where the text around it is cut. */
function withoutLastEnds(value: string): string {
  let end = value.length
  while (value[end - 1] === '\n' || value[end - 1] === '\r') end -= 1
  return value.slice(0, end)
}

/** Among paragraphs it stands by itself, with its indents. */
function standsAlone({ parent, value }: { parent: Parent; value: string }): boolean {
  if (parent.type === 'root' || parent.tagName === 'blockquote') return true
  return parent.tagName === 'li' && value.includes('\n')
}
