import { sql } from 'drizzle-orm'
import { integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { createdAt, primaryId } from './columns.ts'
import { users } from './users.ts'

export const categories = pgTable(
  'categories',
  {
    id: primaryId(),
    name: text().notNull(),
    createdBy: integer().references(() => users.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
  },
  (t) => [uniqueIndex('categories_name_lower').on(sql`lower(${t.name})`)],
)
