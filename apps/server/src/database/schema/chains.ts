import type { KeptStep, NamedBy, StepSettings } from '@catenary/contracts'
import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  doublePrecision,
  foreignKey,
  index,
  integer,
  json,
  jsonb,
  pgEnum,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import {
  asciiKey,
  belongsTo,
  createdAt,
  derivedText,
  generatedSlug,
  lengthOf,
  namedBy,
  orderedText,
  primaryId,
  referenceNamesOf,
  updatedAt,
} from './columns.ts'
import { prompts, promptVersions } from './prompts.ts'
import { tags } from './tags.ts'
import { users } from './users.ts'

export const sharedLevel = pgEnum('shared_level', ['private', 'shared', 'public'])
export const runsVisibleTo = pgEnum('runs_visible_to', ['editors', 'runner'])
export const stopsWithoutValue = pgEnum('stops_without_value', ['unwatched', 'always', 'never'])
export const stopsWhenCut = pgEnum('stops_when_cut', ['unwatched', 'always', 'never'])

export const chains = pgTable(
  'chains',
  {
    id: primaryId(),
    ownerId: belongsTo(() => users.id),
    slug: generatedSlug(),
    name: text().notNull(),
    description: text().notNull().default(''),
    searchName: derivedText(),
    searchDescription: derivedText(),
    sharedLevel: sharedLevel().notNull().default('private'),
    stopsWithoutValue: stopsWithoutValue().notNull().default('unwatched'),
    stopsWhenCut: stopsWhenCut().notNull().default('unwatched'),
    runsVisibleTo: runsVisibleTo().notNull().default('editors'),
    /** Raised whenever owner and editors begin to see runs: earlier runs stay closed to them. */
    visibilityEpoch: integer('runs_opening').notNull().default(1),
    exampleRequests: text().array().notNull().default([]),
    asksFirst: boolean().notNull().default(false),
    /** It is a copy of what its owner did not write alone. */
    writtenByOthers: boolean().notNull().default(false),
    version: integer().notNull().default(1),
    revision: integer().notNull().default(1),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    index('chains_owner').on(t.ownerId),
    index('chains_updated').on(t.updatedAt, t.id),
    index('chains_without_words')
      .on(t.id)
      .where(sql`${t.searchName} is null or ${t.searchDescription} is null`),
  ],
)

export const chainSteps = pgTable(
  'chain_steps',
  {
    id: primaryId(),
    chainId: belongsTo(() => chains.id),
    promptId: integer().references(() => prompts.id, { onDelete: 'set null' }),
    /** Which of the prompt's texts runs: of its version with this label, or of this one; its current one where both are null. A trigger ends them with the link. */
    promptLabel: orderedText(),
    promptVersion: integer(),
    position: integer().notNull(),
    title: text().notNull().default(''),
    content: text().notNull().default(''),
    contentLength: lengthOf('content').notNull(),
    referenceNames: referenceNamesOf(
      `step_texts(template_texts("content", "system_prompt", "settings" -> 'messages'), "settings")`,
    ),
    namedBy: namedBy(),
    /** null: it asks none. */
    model: text(),
    fallbackModel: text(),
    outputVariableName: text().notNull(),
    systemPrompt: text(),
    systemPromptLength: lengthOf('system_prompt'),
    temperature: doublePrecision(),
    maxTokens: integer(),
    settings: json().$type<StepSettings>(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    index('chain_steps_order').on(t.chainId, t.position),
    index('chain_steps_prompt').on(t.promptId),
    // By hand in the migration, as labels know chains: (prompt_id, prompt_label) refers to prompt_labels.
    foreignKey({
      name: 'chain_steps_prompt_version',
      columns: [t.promptId, t.promptVersion],
      foreignColumns: [promptVersions.promptId, promptVersions.number],
    }),
    check('chain_steps_one_link', sql`num_nonnulls(${t.promptLabel}, ${t.promptVersion}) <= 1`),
    index('chain_steps_references').using('gin', t.referenceNames),
    // Steps that end the run may have none.
    uniqueIndex('chain_steps_output_key')
      .on(t.chainId, asciiKey(t.outputVariableName))
      .where(sql`${t.outputVariableName} <> ''`),
    // For the version before, which has no other. Dropped a version later.
    uniqueIndex('chain_steps_output')
      .on(t.chainId, sql`lower(${t.outputVariableName})`)
      .where(sql`${t.outputVariableName} <> ''`),
  ],
)

/** Immutable: one row for each save that changed steps or settings, as long as it is kept. */
export const chainVersions = pgTable(
  'chain_versions',
  {
    id: primaryId(),
    chainId: belongsTo(() => chains.id),
    number: integer().notNull(),
    name: text().notNull(),
    description: text().notNull(),
    stopsWithoutValue: stopsWithoutValue().notNull(),
    stopsWhenCut: stopsWhenCut().notNull().default('unwatched'),
    steps: jsonb().$type<KeptStep[]>().notNull(),
    /** Of each step, by its id. Apart from the steps, as who brought a name in makes no other version. */
    namedBy: jsonb().$type<Record<string, NamedBy>>().notNull().default({}),
    stepCount: integer().notNull(),
    bytes: integer().notNull(),
    note: text().notNull().default(''),
    authorId: integer().references(() => users.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
  },
  (t) => [uniqueIndex('chain_versions_number').on(t.chainId, t.number)],
)

export const chainTags = pgTable(
  'chain_tags',
  {
    chainId: belongsTo(() => chains.id),
    tagId: belongsTo(() => tags.id),
  },
  (t) => [primaryKey({ columns: [t.chainId, t.tagId] }), index('chain_tags_tag').on(t.tagId)],
)
