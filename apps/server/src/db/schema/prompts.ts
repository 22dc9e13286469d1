import type { PromptSettings } from '@catenary/contracts'
import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  index,
  integer,
  json,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { categories } from './categories.ts'
import {
  belongsTo,
  createdAt,
  generatedSlug,
  lengthOf,
  orderedText,
  primaryId,
  referenceNamesOf,
  updatedAt,
} from './columns.ts'
import { tags } from './tags.ts'
import { users } from './users.ts'

const plainTitle = String.raw`regexp_replace(lower(normalize("title", NFD)), '[\u0300-\u036f]', '', 'g')`
/** Each number with ten digits. */
const titleOrder = String.raw`regexp_replace(regexp_replace(${plainTitle}, '(\d+)', '0000000000\1', 'g'), '\d*(\d{10})', '\1', 'g')`
const isPublic = sql`is_public`
const isPrivate = sql`not is_public`
/** With fast updates, each search would scan the entries that are not yet in the index one by one. */
const atOnce = { fastupdate: false }

export const prompts = pgTable(
  'prompts',
  {
    id: primaryId(),
    ownerId: belongsTo(() => users.id),
    categoryId: integer()
      .notNull()
      .references(() => categories.id),
    slug: generatedSlug(),
    title: text().notNull(),
    content: text().notNull(),
    contentLength: lengthOf('content').notNull(),
    referenceNames: referenceNamesOf(`"settings" ->> 'systemPrompt'`),
    /** How it is run; null where nothing is set. As text, since the order of a schema's fields counts. */
    settings: json().$type<PromptSettings>(),
    /** What searches scan: already in lower case, as lowering it takes twenty times as long as scanning. */
    searched: text().notNull().generatedAlwaysAs(sql`lower("title" || chr(31) || left("content", 20000))`),
    /** The title as a sort key: without case and accents, and numbers by their value. */
    titleOrder: orderedText().notNull().generatedAlwaysAs(sql.raw(titleOrder)),
    isActive: boolean().notNull().default(true),
    isPublic: boolean().notNull().default(false),
    version: integer().notNull().default(1),
    revision: integer().notNull().default(1),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    index('prompts_owner').on(t.ownerId),
    index('prompts_category').on(t.categoryId),
    index('prompts_references').using('gin', t.referenceNames).with(atOnce),
    // A list is made of two: of the public ones, and of the viewer's own private ones. Newest first is read backwards.
    index('prompts_public_updated').on(t.updatedAt, t.id).where(isPublic),
    index('prompts_public_created').on(t.id).where(isPublic),
    index('prompts_public_title').on(t.titleOrder, t.id).where(isPublic),
    index('prompts_public_search').using('gin', t.searched.op('gin_trgm_ops')).with(atOnce).where(isPublic),
    index('prompts_private_updated').on(t.ownerId, t.updatedAt, t.id).where(isPrivate),
    index('prompts_private_created').on(t.ownerId, t.id).where(isPrivate),
    index('prompts_private_title').on(t.ownerId, t.titleOrder, t.id).where(isPrivate),
    index('prompts_private_search').using('gin', t.searched.op('gin_trgm_ops')).with(atOnce).where(isPrivate),
  ],
)

/**
 * The number of prompts that a person may see, and a number that changes with each of them; maintained by triggers.
 * Public prompts count for `scope` 0, private ones for their owner's id, and names shown in lists for -1.
 */
export const promptTallies = pgTable(
  'prompt_tallies',
  {
    scope: integer().notNull(),
    categoryId: integer().notNull(),
    /** Concurrent writers use different ones, so that none waits for another. */
    slot: integer().notNull(),
    prompts: integer().notNull(),
    changes: bigint({ mode: 'bigint' }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.scope, t.categoryId, t.slot] })],
)

/** Immutable: one row for each save that changed title, content or settings. */
export const promptVersions = pgTable(
  'prompt_versions',
  {
    id: primaryId(),
    promptId: belongsTo(() => prompts.id),
    number: integer().notNull(),
    title: text().notNull(),
    content: text().notNull(),
    contentLength: lengthOf('content').notNull(),
    settings: json().$type<PromptSettings>(),
    note: text().notNull().default(''),
    authorId: integer().references(() => users.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
  },
  (t) => [uniqueIndex('prompt_versions_number').on(t.promptId, t.number)],
)

export const promptTags = pgTable(
  'prompt_tags',
  {
    promptId: belongsTo(() => prompts.id),
    tagId: belongsTo(() => tags.id),
  },
  (t) => [primaryKey({ columns: [t.promptId, t.tagId] }), index('prompt_tags_tag').on(t.tagId)],
)

/** Names that an owner gave a prompt, for code that used it elsewhere: `pmpt_…`. */
export const promptAliases = pgTable(
  'prompt_aliases',
  {
    alias: text().primaryKey(),
    promptId: belongsTo(() => prompts.id),
    createdAt: createdAt(),
  },
  (t) => [index('prompt_aliases_prompt').on(t.promptId)],
)
