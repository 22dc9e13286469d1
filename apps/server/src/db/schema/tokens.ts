import { boolean, index, integer, pgEnum, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { chains } from './chains.ts'
import { at, createdAt, primaryId, updatedAt } from './columns.ts'
import { users } from './users.ts'

export const apiTokenKind = pgEnum('api_token_kind', ['chain', 'best'])

export const apiTokens = pgTable(
  'api_tokens',
  {
    id: primaryId(),
    kind: apiTokenKind().notNull(),
    createdBy: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    chainId: integer().references(() => chains.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    prefix: text().notNull(),
    sha256: text().notNull().unique(),
    /** AES-256-GCM, bound to id, owner and kind; null when token values are not kept. */
    encryptedValue: text(),
    /** Best Chain: every chain the creator can reach, stored as such (D38). */
    includesAllChains: boolean().notNull().default(false),
    requestsPerMinute: integer(),
    expiresAt: at(),
    lastUsed: at(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [index('api_tokens_creator').on(t.createdBy), index('api_tokens_chain').on(t.chainId)],
)

export const apiTokenChains = pgTable(
  'api_token_chains',
  {
    apiTokenId: integer()
      .notNull()
      .references(() => apiTokens.id, { onDelete: 'cascade' }),
    chainId: integer()
      .notNull()
      .references(() => chains.id, { onDelete: 'cascade' }),
  },
  (t) => [primaryKey({ columns: [t.apiTokenId, t.chainId] }), index('api_token_chains_chain').on(t.chainId)],
)
