import type { ExtractTablesWithRelations } from 'drizzle-orm'
import type { NodePgDatabase, NodePgTransaction } from 'drizzle-orm/node-postgres'
import type { Pool } from 'pg'
import type * as schema from '../schema/index.ts'

/** The database as services hold it: they open transactions, repositories run the SQL. */
export type Database = NodePgDatabase<typeof schema> & { $client: Pool }
export type Transaction = NodePgTransaction<typeof schema, ExtractTablesWithRelations<typeof schema>>
/** What a repository runs on: the pool, or the caller's transaction. */
export type Executor = Database | Transaction
