import type { AllowedCall } from '@catenary/contracts'
import { index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { chainSteps } from './chains.ts'
import { at, belongsTo, primaryId } from './columns.ts'
import { users } from './users.ts'

/** What a step sends to one origin by one method, and nobody reads: of nothing else that is kept of the step. */
export const stepSecrets = pgTable(
  'step_secrets',
  {
    id: primaryId(),
    stepId: belongsTo(() => chainSteps.id),
    /** `url`, `header:<name in lower case>` or `query:<name>`. */
    part: text().notNull(),
    origin: text().notNull(),
    method: text().notNull(),
    sealed: text().notNull(),
    setBy: integer().references(() => users.id, { onDelete: 'set null' }),
    setAt: at().notNull(),
  },
  (t) => [uniqueIndex('step_secrets_part').on(t.stepId, t.part), index('step_secrets_set_by').on(t.setBy)],
)

/** The call of a step with such parts as its chain’s owner last wrote or allowed it. */
export const allowedCalls = pgTable('allowed_calls', {
  stepId: belongsTo(() => chainSteps.id).primaryKey(),
  call: jsonb().$type<AllowedCall>().notNull(),
  allowedAt: at().notNull(),
})
