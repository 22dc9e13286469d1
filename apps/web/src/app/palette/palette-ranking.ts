export interface Entry<Item> {
  item: Item
  title: string
  keywords: string
}

export interface Ranked<Item> {
  item: Item
  score: number
}

const EXACT = 0
const BEGINS = 1
const WORDS_BEGIN = 2
const INSIDE = 3
const KEYWORDS = 4
export const FALLBACK = 5

/** A text as the search compares it: each word after a space, without case, accents and punctuation. */
export function searchable(text: string): string {
  const plain = text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  return plain
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .replace(/^ ?/, ' ')
    .trimEnd()
}

export function rank<Item>({
  entries,
  query,
  limit,
  verbs = '',
}: {
  entries: readonly Entry<Item>[]
  query: string
  limit: number
  verbs?: string
}): Ranked<Item>[] {
  const wanted = searchable(query)
  const words = wanted.split(' ').filter((word) => word !== '')
  const found: Ranked<Item>[][] = [[], [], [], [], []]
  for (const entry of entries) {
    const score = words.length === 0 ? EXACT : scoreOf({ entry, wanted, words, verbs })
    const equals = score === null ? undefined : found[score]
    if (score !== null && equals && equals.length < limit) equals.push({ item: entry.item, score })
  }
  return found.flat().slice(0, limit)
}

function scoreOf({
  entry: { title, keywords },
  wanted,
  words,
  verbs,
}: {
  entry: Entry<unknown>
  wanted: string
  words: readonly string[]
  verbs: string
}): number | null {
  if (title === wanted) return EXACT
  if (title.startsWith(wanted)) return BEGINS
  let score = WORDS_BEGIN
  for (const word of words) {
    if (title.includes(` ${word}`)) continue
    if (title.includes(word)) score = Math.max(score, INSIDE)
    else if (keywords.includes(` ${word}`) || verbs.includes(` ${word}`)) score = KEYWORDS
    else return null
  }
  return score
}
