import type { SecretBox } from '../../platform/secrets/secret-box.ts'
import type { ProviderRow } from './models.sql.ts'

export type KeyColumn = 'apiKey' | 'newApiKey'

const END_LENGTH = 4
/** A short key would be given away by its end. */
const LENGTH_SHOWN = 12

/** A key opens only for its provider's row, at the origin that it was given for. */
export const contextOf = (
  { id, baseUrl }: { id: number; baseUrl: string | null },
  column: KeyColumn,
): string => `model_providers:${id}:${column}:${baseUrl === null ? '' : new URL(baseUrl).origin}`

export function sealKey(
  secrets: SecretBox,
  { id, baseUrl, key, column }: { id: number; baseUrl: string; key: string; column: KeyColumn },
) {
  const sealed = secrets.seal({ text: key, context: contextOf({ id, baseUrl }, column) })
  return column === 'apiKey'
    ? { apiKey: sealed, apiKeyEnd: endOf(key) }
    : { newApiKey: sealed, newApiKeyEnd: endOf(key) }
}

/** Undefined where there is none, or it no longer opens. */
export function openKey(
  secrets: SecretBox,
  provider: Pick<ProviderRow, 'id' | 'baseUrl' | KeyColumn>,
  column: KeyColumn = 'apiKey',
): string | undefined {
  const sealed = provider[column]
  if (sealed === null) return undefined
  return secrets.openOptional({ sealed, context: contextOf(provider, column) })
}

export function endOf(key: string): string {
  return key.length < LENGTH_SHOWN ? '••••' : key.slice(-END_LENGTH)
}
