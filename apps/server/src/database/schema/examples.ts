import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, uniqueIndex } from 'drizzle-orm/pg-core'
import { chains } from './chains.ts'
import { belongsTo, primaryId } from './columns.ts'
import { prompts } from './prompts.ts'
import { testSuites } from './test-suites.ts'
import { users } from './users.ts'
import { variables } from './variables.ts'

/** Which of a person's records are examples; the row goes with its record, or once the record counts as their own. */
export const examples = pgTable(
  'examples',
  {
    id: primaryId(),
    ownerId: belongsTo(() => users.id),
    promptId: integer().references(() => prompts.id, { onDelete: 'cascade' }),
    chainId: integer().references(() => chains.id, { onDelete: 'cascade' }),
    variableId: integer().references(() => variables.id, { onDelete: 'cascade' }),
    suiteId: integer().references(() => testSuites.id, { onDelete: 'cascade' }),
  },
  (t) => [
    index('examples_owner').on(t.ownerId),
    uniqueIndex('examples_prompt').on(t.promptId).where(sql`${t.promptId} is not null`),
    uniqueIndex('examples_chain').on(t.chainId).where(sql`${t.chainId} is not null`),
    uniqueIndex('examples_variable').on(t.variableId).where(sql`${t.variableId} is not null`),
    uniqueIndex('examples_suite').on(t.suiteId).where(sql`${t.suiteId} is not null`),
    check(
      'examples_record',
      sql`num_nonnulls(${t.promptId}, ${t.chainId}, ${t.variableId}, ${t.suiteId}) = 1`,
    ),
  ],
)
