import { type SQL, sql } from 'drizzle-orm'
import { apiTokens } from '../../../db/schema/index.ts'

export const ownToken = (id: SQL): SQL =>
  sql`(select ${apiTokens.id} from ${apiTokens} where ${apiTokens.id} = ${id}::integer)`
