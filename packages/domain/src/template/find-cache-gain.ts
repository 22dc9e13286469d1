import { estimateTokens } from '../estimate-tokens.ts'
import { type TemplateSyntax, tokenizeTemplate } from './tokenize.ts'

/** So many tokens are worth a hint. */
const WORTH_TOKENS = 3_000

/** What a template's first reference keeps from being cached, as it stands before it. */
interface CacheGain {
  /** As it is written. */
  reference: string
  /** Estimate of the fixed text between it and the next other one. */
  tokens: number
}

/** What moving the first reference further down would make cacheable; null where that is not worth a hint. */
export function findCacheGain(source: string, syntax: TemplateSyntax = {}): CacheGain | null {
  if (source.length < WORTH_TOKENS) return null
  const tokens = tokenizeTemplate(source, syntax)
  const first = tokens.findIndex(({ kind }) => kind !== 'text')
  const reference = tokens[first]?.raw
  if (reference === undefined) return null
  const after = tokens.slice(first + 1)
  const next = after.findIndex(({ kind, raw }) => kind !== 'text' && raw !== reference)
  const fixed = after.slice(0, next === -1 ? undefined : next).filter(({ kind }) => kind === 'text')
  const gained = estimateTokens(fixed.map(({ raw }) => raw).join('')).tokens
  return gained < WORTH_TOKENS ? null : { reference, tokens: gained }
}
