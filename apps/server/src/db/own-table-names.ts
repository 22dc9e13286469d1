import { getTableName, is } from 'drizzle-orm'
import { PgTable } from 'drizzle-orm/pg-core'
import * as schema from './schema/index.ts'

/** The queue's tables are the business of its own part, which alone has their schema. */
const QUEUE = ['jobs']

export const OWN_TABLES = new Set<string>([
  ...QUEUE,
  ...Object.values(schema).flatMap((value) => (is(value, PgTable) ? getTableName(value) : [])),
])
