import type { Root, RootContent } from 'mdast'

/** A longer text is laid out in pieces of at least so many characters, so that none of them holds up the page. */
const PIECE_MIN = 6_000
const GROWING_MAX = 8

const DEFINITION = /^[ \t>*+\d.)-]*\[(?:[^[\]\\]|\\[\s\S]){1,999}\]:/m
/** An item of a list that is empty as yet: what it is depends on what stands before it. */
const MARK_ALONE = /^[ \t]*(?:[-+*]|\d{1,9}[.)])[ \t]*\r?\n/
const EMPTY_LINE = /(?:^|\n)[ \t]*\r?\n$/

export interface MarkdownPiece {
  text: string
  tree?: Root
}

interface CutOptions {
  text: string
  parse: (text: string) => Root
  min?: number
}

interface Growing {
  text: string
  min: number
  cuts: readonly number[]
}

let growing: Growing[] = []

/**
 * A text with Markdown in pieces that mean the same alone: each begins with a block of its own after an empty line, as its
 * parser found it. While the text grows, those before the last stay as they are.
 */
export function cutMarkdown({ text, parse, min = PIECE_MIN }: CutOptions): MarkdownPiece[] {
  if (text.length < 2 * min || DEFINITION.test(text)) return [{ text }]
  const known = growing.find((before) => before.min === min && text.startsWith(before.text))?.cuts ?? []
  const from = known.at(-1) ?? 0
  const { children } = parse(text.slice(from))
  const blocks = children.map((block) => ({ block, at: from + (block.position?.start.offset ?? 0) }))
  const found = cutsIn({ text, places: blocks.map(({ at }) => at), from, min })
  remember({ text, min, cuts: [...known, ...found] })
  const ends = [...found, text.length]
  const parsed = [from, ...found].map((start, index) => {
    const end = ends[index] ?? text.length
    const own = blocks.filter(({ at }) => at >= start && at < end).map(({ block }): RootContent => block)
    return { text: text.slice(start, end), tree: { type: 'root' as const, children: own } }
  })
  const before = known.map((end, index) => ({ text: text.slice(known[index - 1] ?? 0, end) }))
  return [...before, ...parsed]
}

/** A block whose first line may still grow could become part of the one before. */
function cutsIn({
  text,
  places,
  from,
  min,
}: {
  text: string
  places: readonly number[]
  from: number
  min: number
}): number[] {
  const cuts: number[] = []
  for (const at of places) {
    const isLongEnough = at - (cuts.at(-1) ?? from) >= min
    const begins = EMPTY_LINE.test(text.slice(at - 100, at)) && text.includes('\n', at)
    if (isLongEnough && begins && !MARK_ALONE.test(text.slice(at, at + 100))) cuts.push(at)
  }
  return cuts
}

function remember(cut: Growing): void {
  const others = growing.filter(({ min, text }) => min !== cut.min || !cut.text.startsWith(text))
  growing = [cut, ...others].slice(0, GROWING_MAX)
}
