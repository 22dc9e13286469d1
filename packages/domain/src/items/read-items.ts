import { readJsonText, sayJson } from '../json/json-at.ts'

interface ListItem {
  text: string
  /** Neither a text nor a line: fields may be taken of it. */
  isJson: boolean
}

const NUMBERED = /^([ \t]*)\p{Nd}{1,9}[.)](?:[ \t]+|$)/u

/**
 * The items of a text. A JSON array has its elements, a text as it is and anything else as the JSON that stands there;
 * a text whose first line is numbered has what is numbered, with the lines that follow; any other text has its lines.
 * Lines and numbers without a text are left out. Linear.
 */
export function readItems(text: string): ListItem[] {
  const elements = text.trimStart().startsWith('[') ? readJsonText(text)?.items() : undefined
  if (elements !== undefined) return elements.map(toItem)
  const lines = text.split(/\r\n?|\n/)
  const first = lines.find((line) => line.trim() !== '')
  const indent = first === undefined ? undefined : NUMBERED.exec(first)?.[1]?.length
  const texts = indent === undefined ? lines : numberedIn(lines, indent)
  return texts.flatMap((each) => {
    const item = each.trim()
    return item === '' ? [] : [{ text: item, isJson: false }]
  })
}

function toItem(json: string): ListItem {
  const isJson = !json.startsWith('"')
  return { text: sayJson(json), isJson }
}

/** A number that stands further in than the first belongs to the item that it stands in. */
function numberedIn(lines: readonly string[], indent: number): string[] {
  const items: string[][] = []
  for (const line of lines) {
    const mark = NUMBERED.exec(line)
    if (mark !== null && (mark[1] ?? '').length <= indent) items.push([line.slice(mark[0].length)])
    else items.at(-1)?.push(line)
  }
  return items.map((each) => each.join('\n'))
}
