import { index, integer, pgEnum, pgTable, primaryKey } from 'drizzle-orm/pg-core'
import { chains } from './chains.ts'
import { createdAt } from './columns.ts'
import { prompts } from './prompts.ts'
import { users } from './users.ts'

export const shareRole = pgEnum('share_role', ['viewer', 'editor'])

/** Of whom a record is shared with by name. */
const shareColumns = {
  userId: integer()
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' }),
  role: shareRole().notNull(),
  createdAt: createdAt(),
}

export const chainShares = pgTable(
  'chain_shares',
  {
    recordId: integer('chain_id')
      .notNull()
      .references(() => chains.id, { onDelete: 'cascade' }),
    ...shareColumns,
  },
  (t) => [primaryKey({ columns: [t.recordId, t.userId] }), index('chain_shares_user').on(t.userId)],
)

export const promptShares = pgTable(
  'prompt_shares',
  {
    recordId: integer('prompt_id')
      .notNull()
      .references(() => prompts.id, { onDelete: 'cascade' }),
    ...shareColumns,
  },
  (t) => [
    primaryKey({ columns: [t.recordId, t.userId] }),
    index('prompt_shares_user').on(t.userId, t.recordId),
  ],
)
