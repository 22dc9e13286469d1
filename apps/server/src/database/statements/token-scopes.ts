import type { RecordKind } from '@catenary/contracts'
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { apiTokens } from '../schema/index.ts'

/** Whether a token's scopes name the prompt or chain. */
export const scopesName = (kind: RecordKind, id: SQLWrapper | number): SQL =>
  sql`${apiTokens.scopes} @> array[${sql.raw(`'${kind}:'`)} || (${id})::text]`

/** Whether there is a token whose scopes do. */
export const isNamedByTokens = (kind: RecordKind, id: SQLWrapper | number): SQL =>
  sql`exists (select from ${apiTokens} where ${scopesName(kind, id)})`
