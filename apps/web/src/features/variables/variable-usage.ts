import { shortenText } from '@catenary/domain'

export interface UsageCounts {
  prompts: number
  chains: number
}

const NAMED = 5
const TITLE_MAX = 40

export function describeUsage({ prompts, chains }: UsageCounts): string {
  const parts = [count({ of: prompts, noun: 'prompt' }), count({ of: chains, noun: 'chain' })]
  return parts.filter((part) => part !== '').join(', ') || 'not used'
}

export function nameSome(titles: readonly string[]): string {
  const named = titles.slice(0, NAMED).map((title) => `“${shorten(title)}”`)
  const rest = titles.length - named.length
  return rest > 0 ? `${named.join(', ')} and ${rest} more` : named.join(', ')
}

function count({ of, noun }: { of: number; noun: string }): string {
  if (of === 0) return ''
  return of === 1 ? `1 ${noun}` : `${of} ${noun}s`
}

function shorten(title: string): string {
  return shortenText(title, TITLE_MAX)
}
