import { index, integer, pgTable, primaryKey } from 'drizzle-orm/pg-core'
import { chains } from './chains.ts'
import { createdAt } from './columns.ts'
import { users } from './users.ts'

/** Others' chains that a person said yes to: they are among 'all' of that person's tokens (D60). */
export const chainAcceptances = pgTable(
  'chain_acceptances',
  {
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    recordId: integer('chain_id')
      .notNull()
      .references(() => chains.id, { onDelete: 'cascade' }),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.recordId] }), index('chain_acceptances_chain').on(t.recordId)],
)
