import type { MediaType } from '@catenary/contracts'
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
import {
  asciiKey,
  at,
  belongsTo,
  byteString,
  createdAt,
  lengthOf,
  orderedText,
  primaryId,
  updatedAt,
} from './columns.ts'
import { tags } from './tags.ts'
import { users } from './users.ts'

export const variableType = pgEnum('variable_type', [
  'text',
  'file',
  'api',
  'googleDrive',
  'image',
  'document',
])

export const variables = pgTable(
  'variables',
  {
    id: primaryId(),
    ownerId: belongsTo(() => users.id),
    name: text().notNull(),
    type: variableType().notNull(),
    content: text().notNull().default(''),
    contentLength: lengthOf('content').notNull(),
    allowedValues: text().array().notNull().default([]),
    apiUrl: text().notNull().default(''),
    /** Header name → value encrypted under SECRET_KEY. */
    apiHeaders: jsonb().$type<Record<string, string>>().notNull().default({}),
    googleDriveFileId: text().notNull().default(''),
    googleDriveFileName: text().notNull().default(''),
    googleDriveMimeType: text().notNull().default(''),
    /** What search reads of what lists show everyone, as `searchText` reads it; null until it has. */
    searchText: orderedText(),
    isPublic: boolean().notNull().default(false),
    cacheSeconds: integer().notNull().default(0),
    revision: integer().notNull().default(1),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    uniqueIndex('variables_owner_key').on(t.ownerId, asciiKey(t.name)),
    index('variables_public_key').on(asciiKey(t.name)).where(sql`${t.isPublic}`),
    index('variables_limited_key').on(asciiKey(t.name)).where(sql`${t.allowedValues} <> '{}'`),
    index('variables_key').on(asciiKey(t.name), t.id),
    index('variables_without_words').on(t.id).where(sql`${t.searchText} is null`),
    uniqueIndex('variables_owner_name_lower').on(t.ownerId, sql`lower(${t.name})`),
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

export const variableFetches = pgTable('variable_fetches', {
  variableId: integer()
    .primaryKey()
    .references(() => variables.id, { onDelete: 'cascade' }),
  /** A value of an earlier revision is not used. */
  revision: integer().notNull(),
  content: text().notNull(),
  fetchedAt: at().notNull(),
})

/** What was uploaded; `key` is `uploads/{timestamp}_{name}` and is looked up among the owner's rows only. */
export const files = pgTable(
  'files',
  {
    id: primaryId(),
    ownerId: belongsTo(() => users.id),
    key: text().notNull(),
    /** Empty of an image or a PDF, whose bytes are in `file_bytes`. */
    content: text().notNull().default(''),
    mediaType: text().$type<MediaType>(),
    fileName: text(),
    width: integer(),
    height: integer(),
    bytes: integer(),
    sha256: text(),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('files_owner_key').on(t.ownerId, t.key),
    uniqueIndex('files_owner_picture')
      .on(t.ownerId, t.sha256, t.fileName)
      .where(sql`${t.sha256} is not null`),
  ],
)

export const fileBytes = pgTable('file_bytes', {
  fileId: integer()
    .primaryKey()
    .references(() => files.id, { onDelete: 'cascade' }),
  bytes: byteString().notNull(),
})
