import { sql } from 'drizzle-orm'
import {
  doublePrecision,
  index,
  integer,
  pgEnum,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { createdAt, lengthOf, primaryId, referenceNamesOf, updatedAt } from './columns.ts'
import { prompts } from './prompts.ts'
import { tags } from './tags.ts'
import { users } from './users.ts'

export const sharedLevel = pgEnum('shared_level', ['private', 'shared', 'public'])
export const runsVisibleTo = pgEnum('runs_visible_to', ['editors', 'runner'])
export const stopsWithoutValue = pgEnum('stops_without_value', ['unwatched', 'always', 'never'])

export const chains = pgTable(
  'chains',
  {
    id: primaryId(),
    ownerId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    description: text().notNull().default(''),
    sharedLevel: sharedLevel().notNull().default('private'),
    stopsWithoutValue: stopsWithoutValue().notNull().default('unwatched'),
    runsVisibleTo: runsVisibleTo().notNull().default('editors'),
    /** Raised whenever owner and editors begin to see runs: those of before stay closed to them. */
    runsOpening: integer().notNull().default(1),
    exampleRequests: text().array().notNull().default([]),
    revision: integer().notNull().default(1),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [index('chains_owner').on(t.ownerId), index('chains_updated').on(t.updatedAt, t.id)],
)

export const chainSteps = pgTable(
  'chain_steps',
  {
    id: primaryId(),
    chainId: integer()
      .notNull()
      .references(() => chains.id, { onDelete: 'cascade' }),
    promptId: integer().references(() => prompts.id, { onDelete: 'set null' }),
    position: integer().notNull(),
    title: text().notNull().default(''),
    content: text().notNull().default(''),
    contentLength: lengthOf('content').notNull(),
    referenceNames: referenceNamesOf('content'),
    model: text().notNull(),
    fallbackModel: text(),
    outputVariableName: text().notNull(),
    systemPrompt: text(),
    systemPromptLength: lengthOf('system_prompt'),
    temperature: doublePrecision(),
    maxTokens: integer(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    index('chain_steps_order').on(t.chainId, t.position),
    index('chain_steps_prompt').on(t.promptId),
    index('chain_steps_references').using('gin', t.referenceNames),
    uniqueIndex('chain_steps_output').on(t.chainId, sql`lower(${t.outputVariableName})`),
  ],
)

export const chainTags = pgTable(
  'chain_tags',
  {
    chainId: integer()
      .notNull()
      .references(() => chains.id, { onDelete: 'cascade' }),
    tagId: integer()
      .notNull()
      .references(() => tags.id, { onDelete: 'cascade' }),
  },
  (t) => [primaryKey({ columns: [t.chainId, t.tagId] }), index('chain_tags_tag').on(t.tagId)],
)
