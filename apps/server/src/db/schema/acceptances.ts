import { index, pgTable, primaryKey } from 'drizzle-orm/pg-core'
import { chains } from './chains.ts'
import { belongsTo, createdAt } from './columns.ts'
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
