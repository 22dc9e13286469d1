import { sql } from 'drizzle-orm'
import { integer, pgEnum, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { createdAt, primaryId } from './columns.ts'
import { users } from './users.ts'

export const tagKind = pgEnum('tag_kind', ['prompt', 'variable', 'chain'])

export const tags = pgTable(
  'tags',
  {
    id: primaryId(),
    kind: tagKind().notNull(),
    name: text().notNull(),
    createdBy: integer().references(() => users.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
  },
  (t) => [uniqueIndex('tags_kind_name_lower').on(t.kind, sql`lower(${t.name})`)],
)
