import { boolean, index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { categories } from './categories.ts'
import { createdAt, primaryId, updatedAt } from './columns.ts'
import { tags } from './tags.ts'
import { users } from './users.ts'

export const prompts = pgTable(
  'prompts',
  {
    id: primaryId(),
    ownerId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    categoryId: integer()
      .notNull()
      .references(() => categories.id),
    title: text().notNull(),
    content: text().notNull(),
    isActive: boolean().notNull().default(true),
    isPublic: boolean().notNull().default(false),
    version: integer().notNull().default(1),
    revision: integer().notNull().default(1),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    index('prompts_owner').on(t.ownerId),
    index('prompts_category').on(t.categoryId),
    index('prompts_updated').on(t.updatedAt.desc(), t.id.desc()),
  ],
)

/** Immutable: one row for each save that changed title or content. */
export const promptVersions = pgTable(
  'prompt_versions',
  {
    id: primaryId(),
    promptId: integer()
      .notNull()
      .references(() => prompts.id, { onDelete: 'cascade' }),
    number: integer().notNull(),
    title: text().notNull(),
    content: text().notNull(),
    authorId: integer().references(() => users.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
  },
  (t) => [uniqueIndex('prompt_versions_number').on(t.promptId, t.number)],
)

export const promptTags = pgTable(
  'prompt_tags',
  {
    promptId: integer()
      .notNull()
      .references(() => prompts.id, { onDelete: 'cascade' }),
    tagId: integer()
      .notNull()
      .references(() => tags.id, { onDelete: 'cascade' }),
  },
  (t) => [primaryKey({ columns: [t.promptId, t.tagId] }), index('prompt_tags_tag').on(t.tagId)],
)
