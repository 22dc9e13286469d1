import { bigint, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { at, createdAt } from './columns.ts'

/** The processes of this database, each as it told of itself last. Only `db/processes/process-rows` reads and writes it. */
export const processes = pgTable('processes', {
  id: text().primaryKey(),
  role: text().$type<'all' | 'web' | 'worker'>().notNull(),
  version: text().notNull(),
  host: text().notNull(),
  startedAt: createdAt(),
  beatAt: createdAt(),
  /** What goes on there. */
  runs: integer().notNull().default(0),
  jobs: integer().notNull().default(0),
  /** How many connections it may open, beside the one on which it listens. */
  poolSize: integer().notNull(),
})

/**
 * What was counted in the minutes that go on, for all processes of a server; only `db/processes/window-counts` reads and writes it.
 * Its migration makes it unlogged: empty after a crash or a promotion, and unreadable on a standby.
 */
export const rateWindows = pgTable('rate_windows', {
  key: text().primaryKey(),
  endsAt: at().notNull(),
  count: bigint({ mode: 'number' }).notNull(),
})
