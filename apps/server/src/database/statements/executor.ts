import type { ExtractTablesWithRelations } from 'drizzle-orm'
import type { NodePgDatabase, NodePgTransaction } from 'drizzle-orm/node-postgres'
import type { Pool } from 'pg'
import type * as schema from '../schema/index.ts'

export type Database = NodePgDatabase<typeof schema> & { $client: Pool }
export type Transaction = NodePgTransaction<typeof schema, ExtractTablesWithRelations<typeof schema>>
export type Executor = Database | Transaction
