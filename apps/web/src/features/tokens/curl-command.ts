import { apiExamples } from '@catenary/domain'
import type { CreatedToken } from './tokens.queries.ts'

/** A Best Chain token takes any name. */
export const ANY_MODEL = 'best-chain'

/** Shell lines that call what a new token is for; null for one that fetches prompts, as it may fetch several. */
export function curlCommand(created: CreatedToken): string | null {
  if (created.tokenType === 'read') return null
  const model = created.tokenType === 'chain' ? `chain-${created.chainId}` : ANY_MODEL
  const examples = apiExamples({ address: window.location.origin, model })
  const call = examples.find(({ id }) => id === 'curl-messages')
  return call ? `export CATENARY_TOKEN=${created.token}\n${call.code}` : null
}
