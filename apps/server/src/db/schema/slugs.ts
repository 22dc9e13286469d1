import { index, pgTable, text } from 'drizzle-orm/pg-core'
import { chains } from './chains.ts'
import { belongsTo } from './columns.ts'
import { prompts } from './prompts.ts'

/** Every slug that a prompt has or had: a former slug keeps working and is never reused. */
export const promptSlugs = pgTable(
  'prompt_slugs',
  {
    slug: text().primaryKey(),
    recordId: belongsTo(() => prompts.id, 'prompt_id'),
  },
  (t) => [index('prompt_slugs_prompt').on(t.recordId)],
)

/** The same of chains. */
export const chainSlugs = pgTable(
  'chain_slugs',
  {
    slug: text().primaryKey(),
    recordId: belongsTo(() => chains.id, 'chain_id'),
  },
  (t) => [index('chain_slugs_chain').on(t.recordId)],
)
