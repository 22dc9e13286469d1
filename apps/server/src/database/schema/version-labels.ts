import type { WhoMayMove } from '@catenary/contracts'
import { sql } from 'drizzle-orm'
import { boolean, check, foreignKey, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { chains, chainVersions } from './chains.ts'
import { at, belongsTo, orderedText, primaryId } from './columns.ts'
import { prompts, promptVersions } from './prompts.ts'
import { users } from './users.ts'

/** Where a label points to; a version that one points to can not be deleted. */
const labelColumns = {
  label: orderedText().notNull(),
  version: integer().notNull(),
  movedBy: integer().references(() => users.id, { onDelete: 'set null' }),
  movedAt: at().notNull(),
}

export const promptLabels = pgTable(
  'prompt_labels',
  {
    recordId: belongsTo(() => prompts.id, 'prompt_id'),
    ...labelColumns,
  },
  (t) => [
    primaryKey({ columns: [t.recordId, t.label] }),
    foreignKey({
      name: 'prompt_labels_version',
      columns: [t.recordId, t.version],
      foreignColumns: [promptVersions.promptId, promptVersions.number],
    }),
  ],
)

export const chainLabels = pgTable(
  'chain_labels',
  {
    recordId: belongsTo(() => chains.id, 'chain_id'),
    ...labelColumns,
  },
  (t) => [
    primaryKey({ columns: [t.recordId, t.label] }),
    foreignKey({
      name: 'chain_labels_version',
      columns: [t.recordId, t.version],
      foreignColumns: [chainVersions.chainId, chainVersions.number],
    }),
  ],
)

export const labelMoves = pgTable(
  'label_moves',
  {
    id: primaryId(),
    promptId: integer().references(() => prompts.id, { onDelete: 'cascade' }),
    chainId: integer().references(() => chains.id, { onDelete: 'cascade' }),
    label: orderedText().notNull(),
    /** Null: nowhere. No foreign keys: a version may be gone. */
    fromVersion: integer(),
    toVersion: integer(),
    movedBy: integer().references(() => users.id, { onDelete: 'set null' }),
    movedAt: at().notNull(),
    reason: text().notNull(),
    override: boolean().notNull(),
    evaluationId: integer(),
  },
  (t) => [
    check('label_moves_one_record', sql`num_nonnulls(${t.promptId}, ${t.chainId}) = 1`),
    index('label_moves_prompt').on(t.promptId, t.label, t.id),
    index('label_moves_chain').on(t.chainId, t.label, t.id),
  ],
)

export const protectedLabels = pgTable('protected_labels', {
  label: orderedText().primaryKey(),
  whoMayMove: text().$type<WhoMayMove>().notNull(),
  needsSuite: boolean().notNull(),
})
