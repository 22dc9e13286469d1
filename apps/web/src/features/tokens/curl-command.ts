import type { CreatedOwnToken } from '@catenary/contracts'
import { apiExamples } from '@catenary/domain'

export type NewTokenValue = Pick<CreatedOwnToken, 'id' | 'name' | 'tokenType' | 'token' | 'canReveal'> & {
  chainId?: number | null
}

/** A Best Chain token takes any name. */
export const ANY_MODEL = 'best-chain'

/** Shell lines that call what a new token runs; null for a token of no chain. */
export function curlCommand({ tokenType, chainId, token }: NewTokenValue): string | null {
  if (tokenType !== 'chain' && tokenType !== 'best') return null
  const model = tokenType === 'chain' ? `chain-${chainId}` : ANY_MODEL
  const examples = apiExamples({ address: window.location.origin, model })
  const call = examples.find(({ id }) => id === 'curl-messages')?.code
  return call === undefined ? null : `export CATENARY_TOKEN=${token}\n${call}`
}
