import { type Block, LIST_ITEM } from './request.ts'
import { sentencesOf } from './words.ts'

export interface Item {
  label: string
  text: string
}

const ITEMS = 60
const QUOTED = /^\s*(?:> ?)+/
const MARKER = /^\s*(?:[-*•+]|\d{1,3}[.)])\s+(?:\[[ x]\]\s+)?/
const HEADED =
  /^(?:\*\*)?([\p{Lu}@][\p{L}\p{N}@ .'’-]{1,30}?)(?:\*\*)?(?:\s*\([^)]{1,30}\))?:(?:\*\*)? +(?=\S)/u
const CLAUSE = /^(?:\*\*)?(\p{Lu}[\p{L} '’-]{1,30}?)(?:\*\*)?[:.](?:\*\*)? +(?=\S)/u
const LONG_LINE = 160

export function itemsOf({ lines }: Block): Item[] {
  const cells = rowsOf(lines)
  if (cells.length > 0) return cells
  const written = lines.filter((line) => line.trim() !== '')
  const listed = written.filter((line) => LIST_ITEM.test(line))
  const own = listed.length >= 2 ? listed : written
  return own.slice(0, ITEMS).flatMap((line) => {
    const text = line.replace(QUOTED, '').replace(MARKER, '').trim()
    const headed = (/^\s*\d/.test(line) ? CLAUSE : HEADED).exec(text)
    const name = headed?.[1] !== undefined && headed[1].split(' ').length <= 3 ? headed[1] : undefined
    const said = name === undefined ? text : text.slice(headed?.[0].length)
    const parts =
      said.length > LONG_LINE || (listed.length < 2 && own.length < 4) ? sentencesOf(said) : [said]
    return parts.slice(0, ITEMS).map((part) => ({ label: name ?? '', text: part }))
  })
}

function rowsOf(lines: readonly string[]): Item[] {
  const ruled = lines.findIndex((line) => /^\s*\|[-:| ]{3,}$/.test(line))
  if (ruled < 0) return []
  return lines
    .slice(ruled + 1)
    .filter((line) => line.trimStart().startsWith('|'))
    .slice(0, ITEMS)
    .flatMap((line) => {
      const cells = line.split(/(?<!\\)\|/).map((cell) => cell.replaceAll('\\|', '|').trim())
      const [first = '', ...others] = cells.filter((cell) => cell !== '' && cell !== '–')
      return others.length === 0 ? [{ label: '', text: first }] : [{ label: first, text: others.join(', ') }]
    })
}
