import { sql } from 'drizzle-orm'
import { check, index, integer, pgEnum, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { chains } from './chains.ts'
import { belongsTo, createdAt, fills, primaryId, sends } from './columns.ts'
import { prompts } from './prompts.ts'
import { users } from './users.ts'

export const shareRole = pgEnum('share_role', ['viewer', 'editor'])

const shareColumns = {
  userId: belongsTo(() => users.id),
  role: shareRole().notNull(),
  createdAt: createdAt(),
}

export const chainShares = pgTable(
  'chain_shares',
  {
    recordId: belongsTo(() => chains.id, 'chain_id'),
    ...shareColumns,
  },
  (t) => [primaryKey({ columns: [t.recordId, t.userId] }), index('chain_shares_user').on(t.userId)],
)

export const promptShares = pgTable(
  'prompt_shares',
  {
    recordId: belongsTo(() => prompts.id, 'prompt_id'),
    ...shareColumns,
  },
  (t) => [
    primaryKey({ columns: [t.recordId, t.userId] }),
    index('prompt_shares_user').on(t.userId, t.recordId),
  ],
)

export const runShares = pgTable(
  'run_shares',
  {
    id: primaryId(),
    userId: belongsTo(() => users.id),
    chainId: integer().references(() => chains.id, { onDelete: 'cascade' }),
    promptId: integer().references(() => prompts.id, { onDelete: 'cascade' }),
    /** The names of the private variables that it covers, in lower case. */
    names: text().array().notNull().default([]),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('run_shares_chain').on(t.chainId, t.userId),
    uniqueIndex('run_shares_prompt').on(t.promptId, t.userId),
    index('run_shares_user').on(t.userId),
    check('run_shares_of_one', sql`num_nonnulls(${t.chainId}, ${t.promptId}) = 1`),
  ],
)

/** Others' chains that a person said yes to: they are among 'all' of that person's tokens (D60). */
export const chainAcceptances = pgTable(
  'chain_acceptances',
  {
    userId: belongsTo(() => users.id),
    recordId: belongsTo(() => chains.id, 'chain_id'),
    fills: fills(),
    sends: sends(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.recordId] }), index('chain_acceptances_chain').on(t.recordId)],
)

export const promptAcceptances = pgTable(
  'prompt_acceptances',
  {
    userId: belongsTo(() => users.id),
    recordId: belongsTo(() => prompts.id, 'prompt_id'),
    fills: fills(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.recordId] }), index('prompt_acceptances_prompt').on(t.recordId)],
)
