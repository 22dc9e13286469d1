import type { GuidePage } from './read-guide.ts'

export interface GuideHit {
  page: string
  pageTitle: string
  anchor: string
  title: string
  sentence: { text: string; isFound: boolean }[]
}

/** Longer sentences are cut around the first word that is found. */
const SENTENCE_MAX = 220
const BEFORE_WORD = 80
const HITS_MAX = 20
const IN_PAGE_TITLE = 3
const IN_TITLE = 5

export function searchGuide<Page extends Pick<GuidePage, 'title' | 'parts'> & { name: string }>({
  pages,
  search,
}: {
  pages: readonly Page[]
  search: string
}): GuideHit[] {
  const words = wordsOf(search)
  if (words.length === 0) return []
  const hits = pages.flatMap((page) =>
    page.parts.flatMap(({ anchor, title, text }) => {
      const has = (where: string) => words.filter((word) => where.toLowerCase().includes(word)).length
      const all = `${page.title} ${title} ${text}`
      // A word that only the page's title has would be found in each of its parts.
      if (has(all) < words.length || has(`${title} ${text}`) === 0) return []
      const weight = has(title) * IN_TITLE + has(page.title) * IN_PAGE_TITLE + has(text)
      const hit = { page: page.name, pageTitle: page.title, anchor, title }
      return { weight, hit: { ...hit, sentence: markWords({ text: bestSentence({ text, words }), words }) } }
    }),
  )
  return hits
    .toSorted((a, b) => b.weight - a.weight)
    .slice(0, HITS_MAX)
    .map(({ hit }) => hit)
}

function wordsOf(search: string): string[] {
  return [...new Set(search.toLowerCase().split(/\s+/))].filter((word) => word !== '')
}

function bestSentence({ text, words }: { text: string; words: readonly string[] }): string {
  let best = { sentence: '', count: -1 }
  for (const sentence of text.split(/\n|(?<=[.!?])\s+/)) {
    const count = words.filter((word) => sentence.toLowerCase().includes(word)).length
    if (count > best.count) best = { sentence, count }
  }
  const { sentence } = best
  if (sentence.length <= SENTENCE_MAX) return sentence
  const places = words.map((word) => sentence.toLowerCase().indexOf(word)).filter((place) => place >= 0)
  const start = Math.max(0, Math.min(...places, sentence.length) - BEFORE_WORD)
  const cut = sentence.slice(start, start + SENTENCE_MAX)
  return `${start > 0 ? '…' : ''}${cut}${start + SENTENCE_MAX < sentence.length ? '…' : ''}`
}

function markWords({ text, words }: { text: string; words: readonly string[] }): GuideHit['sentence'] {
  const escaped = words.map((word) => word.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&'))
  return text
    .split(new RegExp(`(${escaped.join('|')})`, 'i'))
    .map((piece, index) => ({ text: piece, isFound: index % 2 === 1 }))
    .filter((piece) => piece.text !== '')
}
