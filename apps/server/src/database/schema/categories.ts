import { sql } from 'drizzle-orm'
import { index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { createdAt, derivedText, primaryId } from './columns.ts'
import { users } from './users.ts'

export const categories = pgTable(
  'categories',
  {
    id: primaryId(),
    name: text().notNull(),
    /** `nameKey` of the name, with the id behind it where an older one has it already. */
    nameKey: derivedText(),
    createdBy: integer().references(() => users.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('categories_name_key').on(t.nameKey),
    index('categories_without_key').on(t.id).where(sql`${t.nameKey} is null`),
    // For the version before, which has no other. Dropped a version later.
    uniqueIndex('categories_name_lower').on(sql`lower(${t.name})`),
  ],
)
