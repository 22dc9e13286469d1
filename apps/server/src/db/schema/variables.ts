import { sql } from 'drizzle-orm'
import {
  boolean,
  index,
  integer,
  jsonb,
  pgEnum,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { at, belongsTo, createdAt, lengthOf, primaryId, updatedAt } from './columns.ts'
import { tags } from './tags.ts'
import { users } from './users.ts'

export const variableType = pgEnum('variable_type', ['text', 'file', 'api', 'googleDrive'])

export const variables = pgTable(
  'variables',
  {
    id: primaryId(),
    ownerId: belongsTo(() => users.id),
    name: text().notNull(),
    type: variableType().notNull(),
    content: text().notNull().default(''),
    contentLength: lengthOf('content').notNull(),
    /** What a text may be; none: anything. */
    allowedValues: text().array().notNull().default([]),
    apiUrl: text().notNull().default(''),
    /** Header name → value encrypted under SECRET_KEY. */
    apiHeaders: jsonb().$type<Record<string, string>>().notNull().default({}),
    googleDriveFileId: text().notNull().default(''),
    googleDriveFileName: text().notNull().default(''),
    googleDriveMimeType: text().notNull().default(''),
    isPublic: boolean().notNull().default(false),
    /** How long a fetched value may be used again; 0: not at all. */
    cacheSeconds: integer().notNull().default(0),
    revision: integer().notNull().default(1),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    uniqueIndex('variables_owner_name_lower').on(t.ownerId, sql`lower(${t.name})`),
    index('variables_public_name').on(sql`lower(${t.name})`).where(sql`${t.isPublic}`),
    index('variables_limited').on(sql`lower(${t.name})`).where(sql`${t.allowedValues} <> '{}'`),
    index('variables_name').on(sql`lower(${t.name})`, t.id),
  ],
)

export const variableTags = pgTable(
  'variable_tags',
  {
    variableId: belongsTo(() => variables.id),
    tagId: belongsTo(() => tags.id),
  },
  (t) => [primaryKey({ columns: [t.variableId, t.tagId] }), index('variable_tags_tag').on(t.tagId)],
)

/** The last value fetched for a variable that allows it to be used again. */
export const variableFetches = pgTable('variable_fetches', {
  variableId: integer()
    .primaryKey()
    .references(() => variables.id, { onDelete: 'cascade' }),
  /** A value of an earlier revision is not used. */
  revision: integer().notNull(),
  content: text().notNull(),
  fetchedAt: at().notNull(),
})

/** Uploaded text; `key` is `uploads/{timestamp}_{name}` and is looked up among the owner's rows only. */
export const files = pgTable(
  'files',
  {
    id: primaryId(),
    ownerId: belongsTo(() => users.id),
    key: text().notNull(),
    content: text().notNull(),
    createdAt: createdAt(),
  },
  (t) => [uniqueIndex('files_owner_key').on(t.ownerId, t.key)],
)
