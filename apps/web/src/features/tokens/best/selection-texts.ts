import type { BestChainSelection, CorrectedSelection } from '@catenary/contracts'

export function formatConfidence(confidence: number): string {
  return confidence.toFixed(2)
}

export function tokenOf({ tokenId, tokenName }: Pick<BestChainSelection, 'tokenId' | 'tokenName'>): string {
  return tokenId === null ? `${tokenName} (deleted)` : tokenName
}

export const WAYS: Record<BestChainSelection['way'], string> = {
  judge: 'by the model',
  lexical: 'keyword match',
  fallback: 'keyword match: the model’s choice couldn’t be used',
  only: 'the only chain',
  named: 'named by the request',
}

export const EXAMPLES: Record<CorrectedSelection['example'], string> = {
  added: 'The request is now an example for that chain.',
  present: 'The request was already an example for that chain.',
  full: 'That chain has ten example requests. Remove one to add this.',
  forbidden: 'You can’t edit that chain, so no example was added.',
}
