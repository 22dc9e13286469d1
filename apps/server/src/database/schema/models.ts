import type { Capabilities, ProviderKind } from '@catenary/contracts'
import {
  bigint,
  boolean,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
} from 'drizzle-orm/pg-core'
import { at, belongsTo, createdAt, primaryId } from './columns.ts'
import { users } from './users.ts'

/** Where models are asked. The environment's have a row too, whose settings stand in the environment. */
export const modelProviders = pgTable('model_providers', {
  id: primaryId(),
  name: text().notNull(),
  kind: text().$type<ProviderKind>().notNull(),
  baseUrl: text(),
  environmentAlias: text().unique(),
  /** AES-256-GCM, bound to the row and the address's origin. */
  apiKey: text(),
  apiKeyEnd: text(),
  /** A key that waits to take the place of the other. */
  newApiKey: text(),
  newApiKeyEnd: text(),
  allowsPrivateAddress: boolean().notNull().default(false),
  addedBy: integer().references(() => users.id, { onDelete: 'set null' }),
  createdAt: createdAt(),
})

/** What can be asked. Of the environment's, what is null stands in the environment. */
export const models = pgTable(
  'models',
  {
    id: primaryId(),
    alias: text().notNull().unique(),
    label: text(),
    providerId: integer()
      .notNull()
      .references(() => modelProviders.id),
    modelId: text(),
    contextTokens: integer(),
    /** Where it differs from what its kind and model id say. */
    capabilities: jsonb().$type<Partial<Capabilities>>().notNull().default({}),
    position: integer().notNull(),
    isEnabled: boolean().notNull().default(true),
    isForEveryone: boolean().notNull().default(true),
    monthlyLimitNanos: bigint({ mode: 'number' }),
    createdAt: createdAt(),
  },
  (t) => [index('models_provider').on(t.providerId)],
)

/** Dollars per million tokens, from then on; null: the known price again. */
export const modelPrices = pgTable(
  'model_prices',
  {
    id: primaryId(),
    modelId: belongsTo(() => models.id),
    validFrom: at().notNull().defaultNow(),
    input: doublePrecision(),
    output: doublePrecision(),
    cached: doublePrecision(),
  },
  (t) => [index('model_prices_model').on(t.modelId, t.id.desc())],
)

export const modelLists = pgTable('model_lists', {
  userId: integer()
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  modelIds: integer().array().notNull(),
})

/** What a model cost in a month. No foreign key: it stays when the model goes. */
export const modelSpending = pgTable(
  'model_spending',
  {
    alias: text().notNull(),
    /** `2026-11`, UTC. */
    month: text().notNull(),
    calls: integer().notNull(),
    costNanos: bigint({ mode: 'number' }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.alias, t.month] })],
)
