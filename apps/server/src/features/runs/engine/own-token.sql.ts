import { type SQL, sql } from 'drizzle-orm'
import { apiTokens } from '../../../db/schema/index.ts'

/** The id of that token, unless it was deleted meanwhile. */
export const ownToken = (id: SQL): SQL =>
  sql`(select ${apiTokens.id} from ${apiTokens} where ${apiTokens.id} = ${id}::integer)`
