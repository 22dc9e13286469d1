export interface RankedText {
  id: number
  name: string
  description: string
  tags: readonly string[]
  stepTitles: readonly string[]
  exampleRequests: readonly string[]
}

export interface ChainScore {
  id: number
  score: number
}

/** How much the words of a text count: what people ask for, more than how the chain does it. */
const WEIGHTS = { name: 3, description: 1, tags: 2, stepTitles: 1, exampleRequests: 2 } as const
/** BM25's own: how soon further mentions stop counting, and how much a long text is held against it. */
const SATURATION = 1.2
const LENGTH = 0.5

/** A score of this much is worth a half, a much higher one nearly 1. */
const HALF_SCORE = 4

const WORD = /[\p{L}\p{N}]+/gu
const STOP_WORDS = new Set(
  (
    'a an and are as at be been but by can could did do does for from had has have how i if in into is it its ' +
    'let me my no not of on or our please so some that the their them then there these they this to up us was we ' +
    'were what when where which who why will with would you your am about want need like just get give make'
  ).split(' '),
)

/** Chains in the order in which their words fit the request, best first: BM25 over all that describes them. */
export function rankChains(request: string, chains: readonly RankedText[]): ChainScore[] {
  const documents = chains.map((chain) => ({ id: chain.id, counts: countTerms(chain) }))
  const lengths = documents.map(({ counts }) => sumOf(counts.values()))
  const meanLength = sumOf(lengths) / Math.max(1, documents.length) || 1
  const frequencies = new Map<string, number>()
  for (const { counts } of documents) {
    for (const term of counts.keys()) frequencies.set(term, (frequencies.get(term) ?? 0) + 1)
  }
  const terms = new Set(termsOf(request))
  const scores = documents.map(({ id, counts }, index) => {
    const norm = SATURATION * (1 - LENGTH + (LENGTH * (lengths[index] ?? 0)) / meanLength)
    let score = 0
    for (const term of terms) {
      const count = counts.get(term) ?? 0
      if (count === 0) continue
      const frequency = frequencies.get(term) ?? 0
      const rarity = Math.log(1 + (documents.length - frequency + 0.5) / (frequency + 0.5))
      score += (rarity * count * (SATURATION + 1)) / (count + norm)
    }
    return { id, score }
  })
  return scores.toSorted((a, b) => b.score - a.score)
}

/**
 * How far the first is ahead of the second, and how well it fits at all. On a fixed scale of 0 to 1: relative to
 * the best score, a single common word would count as much as a whole sentence.
 */
export function lexicalConfidence(ranked: readonly ChainScore[]): { confidence: number; bestScore: number } {
  const [best = 0, second = 0] = ranked.map(({ score }) => score)
  return { confidence: toScale(best - second), bestScore: toScale(best) }
}

const toScale = (score: number): number => score / (score + HALF_SCORE)

function countTerms(chain: RankedText): Map<string, number> {
  const counts = new Map<string, number>()
  const add = (text: string, weight: number) => {
    for (const term of termsOf(text)) counts.set(term, (counts.get(term) ?? 0) + weight)
  }
  add(chain.name, WEIGHTS.name)
  add(chain.description, WEIGHTS.description)
  for (const name of ['tags', 'stepTitles', 'exampleRequests'] as const) {
    for (const text of chain[name]) add(text, WEIGHTS[name])
  }
  return counts
}

/** The words of a text without their endings, and without those that say nothing. */
function termsOf(text: string): string[] {
  const words =
    text
      .normalize('NFKC')
      .toLowerCase()
      .replace(/['’]s\b/g, '')
      .match(WORD) ?? []
  return words.filter((word) => !STOP_WORDS.has(word)).map(stem)
}

const ENDINGS = [
  ['ational', 'ate'],
  ['ization', 'ize'],
  ['iness', 'y'],
  ['ation', 'ate'],
  ['ement', 'e'],
  ['ments', ''],
  ['ment', ''],
  ['ings', ''],
  ['ing', ''],
  ['ies', 'y'],
  ['ied', 'y'],
  ['ers', ''],
  ['ed', ''],
  ['er', ''],
  ['es', ''],
  ['ly', ''],
  ['s', ''],
  ['e', ''],
] as const
const SHORTEST_STEM = 3

/** English endings; a word of another language stays about as it is. */
function stem(word: string): string {
  for (const [ending, instead] of ENDINGS) {
    const rest = word.slice(0, -ending.length)
    if (word.endsWith(ending) && rest.length >= SHORTEST_STEM && !(ending === 's' && word.endsWith('ss'))) {
      return withoutDouble((rest + instead).replace(/e$/, ''))
    }
  }
  return word
}

const withoutDouble = (word: string): string => word.replace(/([bdgmnprt])\1$/, '$1')

function sumOf(numbers: Iterable<number>): number {
  let sum = 0
  for (const number of numbers) sum += number
  return sum
}
