import { type SQL, sql } from 'drizzle-orm'
import { apiTokens } from '../../../database/schema/index.ts'

export const ownToken = (id: SQL): SQL =>
  sql`(select ${apiTokens.id} from ${apiTokens} where ${apiTokens.id} = ${id}::integer)`
