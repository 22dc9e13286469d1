import { boolean, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { chains } from './chains.ts'
import { belongsTo, createdAt, orderedText } from './columns.ts'
import { prompts } from './prompts.ts'

/**
 * Every name by which programs and addresses find a prompt, unique among its owner's (D48): the slugs that it has or
 * had, which keep working, and the aliases that its owner gave it for code that called it so elsewhere.
 */
export const promptNames = pgTable(
  'prompt_names',
  {
    name: orderedText().notNull(),
    ownerId: integer().notNull(),
    recordId: belongsTo(() => prompts.id, 'prompt_id'),
    isAlias: boolean().notNull().default(false),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.name, t.ownerId] }), index('prompt_names_prompt').on(t.recordId)],
)

export const chainNames = pgTable(
  'chain_names',
  {
    name: orderedText().notNull(),
    ownerId: integer().notNull(),
    recordId: belongsTo(() => chains.id, 'chain_id'),
  },
  (t) => [primaryKey({ columns: [t.name, t.ownerId] }), index('chain_names_chain').on(t.recordId)],
)

/** As the version before reads and writes it, which may run beside this one: triggers keep it. Dropped a version later. */
export const promptSlugs = pgTable(
  'prompt_slugs',
  {
    slug: text().primaryKey(),
    recordId: belongsTo(() => prompts.id, 'prompt_id'),
  },
  (t) => [index('prompt_slugs_prompt').on(t.recordId)],
)

export const chainSlugs = pgTable(
  'chain_slugs',
  {
    slug: text().primaryKey(),
    recordId: belongsTo(() => chains.id, 'chain_id'),
  },
  (t) => [index('chain_slugs_chain').on(t.recordId)],
)

export const promptAliases = pgTable(
  'prompt_aliases',
  {
    alias: text().primaryKey(),
    promptId: belongsTo(() => prompts.id),
    createdAt: createdAt(),
  },
  (t) => [index('prompt_aliases_prompt').on(t.promptId)],
)
