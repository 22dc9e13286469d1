import { index, pgTable, primaryKey } from 'drizzle-orm/pg-core'
import { chains } from './chains.ts'
import { belongsTo, createdAt } from './columns.ts'
import { prompts } from './prompts.ts'
import { users } from './users.ts'

/** Others' chains that a person said yes to: they are among 'all' of that person's tokens (D60). */
export const chainAcceptances = pgTable(
  'chain_acceptances',
  {
    userId: belongsTo(() => users.id),
    recordId: belongsTo(() => chains.id, 'chain_id'),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.recordId] }), index('chain_acceptances_chain').on(t.recordId)],
)

/** The same of prompts, for tokens for all prompts. */
export const promptAcceptances = pgTable(
  'prompt_acceptances',
  {
    userId: belongsTo(() => users.id),
    recordId: belongsTo(() => prompts.id, 'prompt_id'),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.recordId] }), index('prompt_acceptances_prompt').on(t.recordId)],
)
