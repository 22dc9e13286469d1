/** What stands in place of a value; of one length, as the length would tell something too. */
export const MASK = '••••••'

/** A value of fewer characters is found as a whole word only, and no beginning of fewer at the end of a text. */
const CLEAR_LENGTH = 4
/** Shorter lines of a value are too common to be told from other text. */
const LINE_LENGTH = 8
/** Characters looked at for one text, over all that is searched for: above it the whole text is masked. */
const SEARCH_MAX = 100_000_000

interface Range {
  start: number
  end: number
}

interface Masking<Segment extends Range> {
  text: string
  segments?: readonly Segment[]
  /** Masked whatever stands there. */
  isMasked?: (segment: Segment) => boolean
}

/** Masks what certain values left in texts: the whole values, their lines, and what a cut left of them at the end. */
export function createMask(values: Iterable<string>) {
  const needles = toNeedles(values)

  function mask<Segment extends Range>({ text, segments = [], isMasked = () => false }: Masking<Segment>) {
    if (needles.length * text.length > SEARCH_MAX) return { text: MASK, segments: [] }
    const folded = fold(text)
    const found = needles.flatMap((needle) => [...occurrences(folded, needle)])
    const ranges = joined([...segments.filter(isMasked), ...found])
    return { text: replaced(text, ranges), segments: moved(segments, ranges) }
  }

  return { mask, maskText: (text: string): string => mask({ text }).text }
}

function toNeedles(values: Iterable<string>): string[] {
  const needles = [...values].flatMap((value) => {
    const lines = value.split('\n').map((line) => line.trim())
    const parts = [value.trim(), ...lines.filter((line) => line.length >= LINE_LENGTH)]
    return parts.flatMap((part) => [part, JSON.stringify(part).slice(1, -1)])
  })
  return [...new Set(needles.map(fold))].filter((needle) => needle !== '')
}

/** In small letters, each character where it was. */
function fold(text: string): string {
  return text.replace(/\p{Lu}/gu, (letter) => {
    const small = letter.toLowerCase()
    return small.length === letter.length ? small : letter
  })
}

/** Where the needle stands, each character looked at once; a beginning of it counts where the text ends. */
function* occurrences(text: string, needle: string): Generator<Range> {
  const borders = bordersOf(needle)
  let matched = 0
  for (let at = 0; at < text.length; at += 1) {
    while (matched > 0 && text[at] !== needle[matched]) matched = borders[matched - 1] ?? 0
    if (text[at] === needle[matched]) matched += 1
    if (matched < needle.length) continue
    const range = { start: at + 1 - needle.length, end: at + 1 }
    matched = borders[matched - 1] ?? 0
    if (needle.length >= CLEAR_LENGTH || isWord(text, range)) yield range
  }
  if (matched >= CLEAR_LENGTH) yield { start: text.length - matched, end: text.length }
}

/** How long, at each place of the needle, the longest of its beginnings is that ends there. */
function bordersOf(needle: string): Uint32Array {
  const borders = new Uint32Array(needle.length)
  let length = 0
  for (let at = 1; at < needle.length; at += 1) {
    while (length > 0 && needle[at] !== needle[length]) length = borders[length - 1] ?? 0
    if (needle[at] === needle[length]) length += 1
    borders[at] = length
  }
  return borders
}

const WORD = /[\p{L}\p{N}]/u

function isWord(text: string, { start, end }: Range): boolean {
  return !WORD.test(text[start - 1] ?? '') && !WORD.test(text[end] ?? '')
}

/** In order; those that overlap as one. */
function joined(ranges: Range[]): Range[] {
  const inOrder: Range[] = []
  for (const { start, end } of ranges.toSorted((one, other) => one.start - other.start)) {
    const last = inOrder.at(-1)
    if (last !== undefined && start < last.end) last.end = Math.max(last.end, end)
    else if (end > start) inOrder.push({ start, end })
  }
  return inOrder
}

function replaced(text: string, ranges: Range[]): string {
  let end = 0
  const kept = ranges.map((range) => {
    const before = text.slice(end, range.start)
    end = range.end
    return before
  })
  return [...kept, text.slice(end)].join(MASK)
}

/** The segments where they stand after the masking; those that lie in the mask of another are left out. */
function moved<Segment extends Range>(segments: readonly Segment[], ranges: Range[]): Segment[] {
  const result: Segment[] = []
  let index = 0
  let shift = 0
  const place = (at: number, side: 'start' | 'end') => {
    for (let range = ranges[index]; range !== undefined && range.end <= at; range = ranges[index]) {
      shift += MASK.length - (range.end - range.start)
      index += 1
    }
    const around = ranges[index]
    if (around === undefined || at <= around.start) return at + shift
    return around.start + shift + (side === 'end' ? MASK.length : 0)
  }
  for (const segment of segments) {
    const start = Math.max(place(segment.start, 'start'), result.at(-1)?.end ?? 0)
    const end = place(segment.end, 'end')
    if (end > start) result.push({ ...segment, start, end })
  }
  return result
}
