import { index, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { at, primaryId } from './columns.ts'

/** What was deleted for good, as triggers note it, until no copy has it any more; `deleted.jsonl` says the same. */
export const deletions = pgTable(
  'deletions',
  {
    id: primaryId(),
    kind: text().notNull(),
    key: jsonb().$type<Record<string, unknown>>().notNull(),
    deletedAt: at().notNull().defaultNow(),
  },
  (t) => [index('deletions_deleted').on(t.deletedAt)],
)
