import type { RecordKind } from '@catenary/contracts'
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { apiTokens } from '../schema/index.ts'

export const scopesName = (kind: RecordKind, id: SQLWrapper | number): SQL =>
  sql`${apiTokens.scopes} @> array[${sql.raw(`'${kind}:'`)} || (${id})::text]`

export const isNamedByTokens = (kind: RecordKind, id: SQLWrapper | number): SQL =>
  sql`exists (select from ${apiTokens} where ${scopesName(kind, id)})`
