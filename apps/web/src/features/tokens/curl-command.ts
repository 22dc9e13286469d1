import { type ApiExample, apiExamples, mcpExamples } from '@catenary/domain'
import type { NewTokenValue } from './token-value-dialog.tsx'

/** A Best Chain token takes any name. */
export const ANY_MODEL = 'best-chain'

/** Shell lines that call what a new token is for; null for one that fetches prompts, as it may fetch several. */
export function curlCommand(created: NewTokenValue): string | null {
  const address = window.location.origin
  if (created.tokenType === 'read' || created.tokenType === 'scoped') return null
  if (created.tokenType === 'mcp')
    return withToken(created.token, exampleOf(mcpExamples({ address }), 'mcp-curl'))
  const model = created.tokenType === 'chain' ? `chain-${created.chainId}` : ANY_MODEL
  return withToken(created.token, exampleOf(apiExamples({ address, model }), 'curl-messages'))
}

const exampleOf = (examples: readonly ApiExample[], wanted: string): string | null =>
  examples.find(({ id }) => id === wanted)?.code ?? null

const withToken = (token: string, call: string | null): string | null =>
  call === null ? null : `export CATENARY_TOKEN=${token}\n${call}`
