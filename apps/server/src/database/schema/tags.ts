import { sql } from 'drizzle-orm'
import { index, integer, pgEnum, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { createdAt, derivedText, primaryId } from './columns.ts'
import { users } from './users.ts'

export const tagKind = pgEnum('tag_kind', ['prompt', 'variable', 'chain'])

export const tags = pgTable(
  'tags',
  {
    id: primaryId(),
    kind: tagKind().notNull(),
    name: text().notNull(),
    nameKey: derivedText(),
    createdBy: integer().references(() => users.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('tags_kind_name_key').on(t.kind, t.nameKey),
    index('tags_without_key').on(t.id).where(sql`${t.nameKey} is null`),
    // For the version before, which has no other. Dropped a version later.
    uniqueIndex('tags_kind_name_lower').on(t.kind, sql`lower(${t.name})`),
  ],
)
