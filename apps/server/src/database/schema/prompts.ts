import type { ImportFormat, PromptSettings, SkillPart } from '@catenary/contracts'
import { type SQLWrapper, sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  index,
  integer,
  json,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { categories } from './categories.ts'
import {
  at,
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
import { tags } from './tags.ts'
import { users } from './users.ts'

type Columns<Name extends string> = Record<Name, SQLWrapper>

const plainTitle = String.raw`regexp_replace(lower(normalize("title", NFD)), '[\u0300-\u036f]', '', 'g')`
/** Each number with ten digits. */
const titleOrder = String.raw`regexp_replace(regexp_replace(${plainTitle}, '(\d+)', '0000000000\1', 'g'), '\d*(\d{10})', '\1', 'g')`
const isPublic = sql`is_public`
const isPrivate = sql`not is_public`
const orderTitle = ({ orderTitle: kept, titleOrder }: Columns<'orderTitle' | 'titleOrder'>) =>
  sql`coalesce(${kept}, ${titleOrder})`
const searchedWords = ({ searchText, searched }: Columns<'searchText' | 'searched'>) =>
  sql`coalesce(${searchText}, ${searched} collate "C") gin_trgm_ops`
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
    referenceNames: referenceNamesOf(
      `template_texts("content", "settings" ->> 'systemPrompt', "settings" -> 'messages')`,
    ),
    namedBy: namedBy(),
    /** How it is run; null where nothing is set. As text, since the order of a schema's fields counts. */
    settings: json().$type<PromptSettings>(),
    /** What searches scan: the different words of title, content, system prompt and turns, as `searchText` reads them. */
    searchText: derivedText(),
    searchTitle: derivedText(),
    orderTitle: derivedText(),
    /** What the version before scans, and this one where `search_text` is missing. */
    searched: text().notNull().generatedAlwaysAs(sql`lower("title" || chr(31) || left("content", 20000))`),
    /** What the version before sorts by, and this one where `order_title` is missing. */
    titleOrder: orderedText().notNull().generatedAlwaysAs(sql.raw(titleOrder)),
    isActive: boolean().notNull().default(true),
    isPublic: boolean().notNull().default(false),
    /** It is a copy of what its owner did not write alone. */
    writtenByOthers: boolean().notNull().default(false),
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
    index('prompts_public_order').on(orderTitle(t), t.id).where(isPublic),
    index('prompts_public_words').using('gin', searchedWords(t)).with(atOnce).where(isPublic),
    index('prompts_private_updated').on(t.ownerId, t.updatedAt, t.id).where(isPrivate),
    index('prompts_private_created').on(t.ownerId, t.id).where(isPrivate),
    index('prompts_private_order').on(t.ownerId, orderTitle(t), t.id).where(isPrivate),
    index('prompts_private_words').using('gin', searchedWords(t)).with(atOnce).where(isPrivate),
    index('prompts_without_words').on(t.id).where(sql`${t.searchText} is null`),
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
    namedBy: namedBy(),
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

export const promptSkills = pgTable('prompt_skills', {
  promptId: integer()
    .primaryKey()
    .references(() => prompts.id, { onDelete: 'cascade' }),
  description: text().notNull(),
  parts: jsonb().$type<SkillPart[]>().notNull(),
  namedBy: namedBy(),
  updatedAt: updatedAt(),
})

export const imports = pgTable(
  'imports',
  {
    id: primaryId(),
    ownerId: belongsTo(() => users.id),
    files: jsonb()
      .$type<{ name: string; format: ImportFormat | null; hash: string; isPushed?: true }[]>()
      .notNull(),
    /** `kept` is what stood at the place, `now` what of a text stands there here. */
    losses: jsonb().$type<{ at: string; reason: string; kept?: unknown; now?: string }[]>().notNull(),
    bytes: integer().notNull(),
    createdAt: createdAt(),
    undoneAt: at(),
  },
  (t) => [index('imports_owner').on(t.ownerId, t.id)],
)

export const importedPrompts = pgTable(
  'imported_prompts',
  {
    id: primaryId(),
    importId: belongsTo(() => imports.id),
    promptId: belongsTo(() => prompts.id),
    /** Of what the file had: the same comes as the same again, also when the prompt was edited since. */
    hash: text().notNull(),
    made: text().$type<'new' | 'version' | 'copy'>().notNull(),
    revision: integer().notNull(),
    version: integer().notNull(),
  },
  (t) => [
    index('imported_prompts_import').on(t.importId),
    index('imported_prompts_prompt').on(t.promptId),
    index('imported_prompts_hash').on(t.hash),
  ],
)
