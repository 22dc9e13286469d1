import { bigint, boolean, index, integer, jsonb, pgTable, text, unique } from 'drizzle-orm/pg-core'
import { at } from './columns.ts'

/** A job to run later, once: a row until it is done. Only `platform/jobs` reads and writes it. */
export const jobs = pgTable(
  'jobs',
  {
    /** Never reused: a job that is sent again under its key is a new job. */
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    queue: text().notNull(),
    key: text().notNull(),
    payload: jsonb().$type<object>().notNull().default({}),
    runAt: at().notNull().defaultNow(),
    /** When it can next be claimed: at first `runAt`, later after a failure; while a worker has it, when the lease ends. */
    nextAt: at().notNull().defaultNow(),
    /** Fencing number: how often it was claimed. */
    attempt: integer().notNull().default(0),
    isHeld: boolean().notNull().default(false),
    lastError: text(),
  },
  (t) => [unique('jobs_key').on(t.queue, t.key), index('jobs_next').on(t.queue, t.nextAt)],
)
