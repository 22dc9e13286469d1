import type { Quotas } from '@catenary/contracts'
import { boolean, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { chains } from './chains.ts'
import { belongsTo, createdAt, orderedText, primaryId } from './columns.ts'
import { prompts } from './prompts.ts'
import { shareRole } from './shares.ts'
import { users } from './users.ts'
import { protectedLabels } from './version-labels.ts'

/** The first row, which the migration writes, is everyone with an account: without members, as all are. */
export const groups = pgTable(
  'groups',
  {
    id: primaryId(),
    name: text().notNull(),
    nameKey: text().notNull(),
    madeBy: integer().references(() => users.id, { onDelete: 'set null' }),
    /** What its members may have, in place of what is usual. */
    quotas: jsonb().$type<Partial<Quotas>>().notNull().default({}),
    createdAt: createdAt(),
  },
  (t) => [uniqueIndex('groups_name_key').on(t.nameKey), index('groups_made_by').on(t.madeBy)],
)

export const groupMembers = pgTable(
  'group_members',
  {
    groupId: belongsTo(() => groups.id),
    userId: belongsTo(() => users.id),
    isLeader: boolean().notNull().default(false),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.groupId, t.userId] }),
    index('group_members_user').on(t.userId, t.groupId),
  ],
)

const shareColumns = {
  groupId: belongsTo(() => groups.id),
  role: shareRole().notNull(),
  createdAt: createdAt(),
}

export const chainGroupShares = pgTable(
  'chain_group_shares',
  { recordId: belongsTo(() => chains.id, 'chain_id'), ...shareColumns },
  (t) => [
    primaryKey({ columns: [t.recordId, t.groupId] }),
    index('chain_group_shares_group').on(t.groupId, t.recordId),
  ],
)

export const promptGroupShares = pgTable(
  'prompt_group_shares',
  { recordId: belongsTo(() => prompts.id, 'prompt_id'), ...shareColumns },
  (t) => [
    primaryKey({ columns: [t.recordId, t.groupId] }),
    index('prompt_group_shares_group').on(t.groupId, t.recordId),
  ],
)

/** Models that a group's members may use beside everyone's. */
export const groupModelLists = pgTable('group_model_lists', {
  groupId: integer()
    .primaryKey()
    .references(() => groups.id, { onDelete: 'cascade' }),
  modelIds: integer().array().notNull(),
})

/** Groups whose members may move a protected label too. */
export const protectedLabelGroups = pgTable(
  'protected_label_groups',
  {
    label: orderedText()
      .notNull()
      .references(() => protectedLabels.label, { onDelete: 'cascade' }),
    groupId: belongsTo(() => groups.id),
  },
  (t) => [primaryKey({ columns: [t.label, t.groupId] }), index('protected_label_groups_group').on(t.groupId)],
)
