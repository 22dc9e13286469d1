import { inflateSync } from 'node:zlib'

/** What all packed objects of a document may come to, in bytes. */
const UNPACKED_MAX = 32_000_000
const DICTIONARY_MAX = 100_000

interface Found {
  /** Where it stands in the file: of several with one number, the last one counts. */
  at: number
  text: string
}

/**
 * How many pages a PDF says that it has; undefined where that can't be followed, as in one that only mending readers
 * open. Nothing of its pages is read.
 */
export function countPages(bytes: Buffer): number | undefined {
  const file = bytes.toString('latin1')
  const root = lastOf(file.matchAll(/\/Root\s{1,9}(\d{1,9})\s/g))?.[1]
  const packed = unpackObjects(bytes, file)
  const read = (number: string | undefined): string =>
    number === undefined ? '' : (newest([findObject(file, number), packed.get(number)])?.text ?? '')
  const [, pages] = /\/Pages\s{1,9}(\d{1,9})\s/.exec(read(root)) ?? []
  const [, count] = /\/Count\s{1,9}(\d{1,9})(?!\d|\s{1,9}\d{1,9}\s{1,9}R)/.exec(read(pages)) ?? []
  return count === undefined ? undefined : Number(count)
}

function newest(found: readonly (Found | undefined)[]): Found | undefined {
  return found.filter((one) => one !== undefined).toSorted((one, other) => other.at - one.at)[0]
}

function findObject(file: string, number: string): Found | undefined {
  const begin = lastOf(file.matchAll(new RegExp(`(?<!\\d)${number}\\s{1,9}\\d{1,5}\\s{1,9}obj`, 'g')))
  if (begin === undefined) return undefined
  const rest = file.slice(begin.index, begin.index + DICTIONARY_MAX)
  const end = rest.indexOf('endobj')
  return { at: begin.index, text: end === -1 ? rest : rest.slice(0, end) }
}

function lastOf(matches: Iterable<RegExpExecArray>): RegExpExecArray | undefined {
  let last: RegExpExecArray | undefined
  for (const match of matches) last = match
  return last
}

/** The objects that newer documents keep in packed streams, by their numbers; what can't be unpacked is passed over. */
function unpackObjects(bytes: Buffer, file: string): Map<string, Found> {
  const objects = new Map<string, Found>()
  let left = UNPACKED_MAX
  for (const { index: at } of file.matchAll(/\/ObjStm(?![A-Za-z])/g)) {
    const mark = /stream\r?\n/.exec(file.slice(at, at + DICTIONARY_MAX))
    if (mark === null) continue
    const start = at + mark.index + mark[0].length
    const before = file.slice(Math.max(0, at - DICTIONARY_MAX), start)
    const [, first] = lastOf(before.matchAll(/\/First\s{1,9}(\d{1,9})/g)) ?? []
    const text = unpack(bytes.subarray(start), left)
    if (first === undefined || text === undefined) continue
    left -= text.length
    const numbers = text.slice(0, Number(first)).trim().split(/\s+/)
    for (let pair = 0; pair + 1 < numbers.length; pair += 2) {
      const from = Number(first) + Number(numbers[pair + 1])
      const to = Number(first) + Number(numbers[pair + 3] ?? text.length)
      objects.set(numbers[pair] ?? '', { at, text: text.slice(from, to) })
    }
  }
  return objects
}

function unpack(from: Buffer, most: number): string | undefined {
  try {
    return inflateSync(from, { maxOutputLength: most }).toString('latin1')
  } catch {
    // Packed in another way, damaged, or more than it may be.
    return undefined
  }
}
