import type { KeptRight } from '@catenary/contracts'
import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { chains } from './chains.ts'
import { belongsTo, createdAt, primaryId } from './columns.ts'
import { prompts } from './prompts.ts'
import { users } from './users.ts'
import { variables } from './variables.ts'

/** What its owner offers to another person; one offer a record, and none once it is answered. */
export const handOvers = pgTable(
  'hand_overs',
  {
    id: primaryId(),
    promptId: integer().references(() => prompts.id, { onDelete: 'cascade' }),
    chainId: integer().references(() => chains.id, { onDelete: 'cascade' }),
    variableId: integer().references(() => variables.id, { onDelete: 'cascade' }),
    /** Who offers it. */
    ownerId: belongsTo(() => users.id),
    /** To whom. */
    userId: belongsTo(() => users.id),
    keep: text().$type<KeptRight>().notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('hand_overs_prompt').on(t.promptId),
    uniqueIndex('hand_overs_chain').on(t.chainId),
    uniqueIndex('hand_overs_variable').on(t.variableId),
    index('hand_overs_owner').on(t.ownerId),
    index('hand_overs_user').on(t.userId),
    check('hand_overs_of_one', sql`num_nonnulls(${t.promptId}, ${t.chainId}, ${t.variableId}) = 1`),
  ],
)
