import { index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { chains } from './chains.ts'
import { prompts } from './prompts.ts'

/** Every slug that a prompt has or had: a former slug keeps working and is never reused. */
export const promptSlugs = pgTable(
  'prompt_slugs',
  {
    slug: text().primaryKey(),
    recordId: integer('prompt_id')
      .notNull()
      .references(() => prompts.id, { onDelete: 'cascade' }),
  },
  (t) => [index('prompt_slugs_prompt').on(t.recordId)],
)

/** The same of chains. */
export const chainSlugs = pgTable(
  'chain_slugs',
  {
    slug: text().primaryKey(),
    recordId: integer('chain_id')
      .notNull()
      .references(() => chains.id, { onDelete: 'cascade' }),
  },
  (t) => [index('chain_slugs_chain').on(t.recordId)],
)
