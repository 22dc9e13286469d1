import { apiTokens } from '../../db/schema/index.ts'
import { sealedColumn } from '../../db/sql/sealed-columns.ts'
import { aad } from './operations/token-values.ts'

export const sealedTokenValues = sealedColumn({
  what: 'values of tokens',
  id: apiTokens.id,
  column: apiTokens.encryptedValue,
  beside: { createdBy: apiTokens.createdBy, kind: apiTokens.kind },
  contextOf: aad,
})
