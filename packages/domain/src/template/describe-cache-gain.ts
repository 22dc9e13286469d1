import { estimateTokens } from '../estimate-tokens.ts'
import { type TemplateSyntax, tokenizeTemplate } from './tokenize.ts'

/** So many tokens are worth a hint. */
const WORTH_TOKENS = 3_000
/** Nobody moves more than so many. */
const MOVED_MAX = 3

const list = new Intl.ListFormat('en')
const count = new Intl.NumberFormat('en-US')

/** Which first references to move down, and how much fixed text then comes first; empty where it is not worth it. */
export function describeCacheGain(source: string, syntax: TemplateSyntax = {}): string {
  if (source.length < WORTH_TOKENS) return ''
  const tokens = tokenizeTemplate(source, syntax)
  const moved: string[] = []
  let gained = 0
  for (const { kind, raw } of tokens) {
    if (kind === 'text') gained += moved.length === 0 ? 0 : estimateTokens(raw).tokens
    else if (!moved.includes(raw)) {
      if (gained >= WORTH_TOKENS) break
      if (moved.length === MOVED_MAX) return ''
      moved.push(raw)
    }
  }
  if (gained < WORTH_TOKENS) return ''
  const them = moved.length === 1 ? 'it' : 'them'
  const tokensGained = count.format(Math.round(gained / 100) * 100)
  return `Moving ${list.format(moved)} below the text that follows ${them} would make about ${tokensGained} tokens cacheable.`
}
