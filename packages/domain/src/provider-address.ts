import type { ProviderKind } from '@catenary/contracts'

interface Given {
  kind: ProviderKind
  baseUrl: string
}

export interface ProviderAddress {
  origin: string
  /** What is asked there for a path of the API: with what the address begins with, and its query. */
  pathOf(path: string): string
}

/** People also paste the address of one of its calls. */
const CALLS: Record<ProviderKind, RegExp> = {
  anthropic: /\/(messages(\/count_tokens)?|models)$/,
  openai: /\/(chat\/completions|completions|responses|embeddings|models)$/,
  gemini: /\/models(\/[^/]*)?$/,
  compatible: /\/(chat\/completions|completions|responses|embeddings|models)$/,
}
const VERSIONS: Record<ProviderKind, string> = {
  anthropic: '/v1',
  openai: '/v1',
  gemini: '/v1beta',
  compatible: '/v1',
}
const NAMES_VERSION = /\/v\d+[a-z]*$/

/**
 * Where a provider is asked (D72). Of OpenAI's API a bare origin gets its version, and any other path is used as it is
 * written, as servers have it under many; the others get their version unless the path ends in one.
 */
export function readProviderAddress({ kind, baseUrl }: Given): ProviderAddress {
  const { origin, pathname, search } = new URL(baseUrl)
  const path = pathname.replace(/\/+$/, '').replace(CALLS[kind], '').replace(/\/+$/, '')
  const takesAnyPath = kind === 'openai' || kind === 'compatible'
  const isWhole = takesAnyPath ? path !== '' : NAMES_VERSION.test(path)
  const base = isWhole ? path : `${path}${VERSIONS[kind]}`
  const query = search.slice(1)
  return {
    origin,
    pathOf: (called) =>
      `${base}${called}${query === '' ? '' : `${called.includes('?') ? '&' : '?'}${query}`}`,
  }
}
