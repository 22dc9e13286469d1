import type { FETCHED_KINDS, HookSignatureForm, SELECTION_WAYS, TokenScope } from '@catenary/contracts'
import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  doublePrecision,
  foreignKey,
  index,
  integer,
  jsonb,
  pgEnum,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { chains } from './chains.ts'
import { at, belongsTo, createdAt, fills, orderedText, primaryId, sends, updatedAt } from './columns.ts'
import { prompts } from './prompts.ts'
import { users } from './users.ts'
import { chainLabels } from './version-labels.ts'

export const apiTokenKind = pgEnum('api_token_kind', [
  'chain',
  'best',
  'read',
  'mcp',
  'folder',
  'scoped',
  'hook',
])

interface StoredSignature {
  form: HookSignatureForm
  header: string
  setAt: string
}

export const apiTokens = pgTable(
  'api_tokens',
  {
    id: primaryId(),
    kind: apiTokenKind().notNull(),
    createdBy: belongsTo(() => users.id),
    chainId: integer().references(() => chains.id, { onDelete: 'cascade' }),
    chainLabel: orderedText(),
    name: text().notNull(),
    prefix: text().notNull(),
    sha256: text().notNull().unique(),
    /** AES-256-GCM, bound to id, owner and kind; null when token values are not kept. */
    encryptedValue: text(),
    /** What it reaches, and what it may do there. Triggers take out what is deleted. */
    scopes: text().array().$type<TokenScope[]>().notNull().default([]),
    /** For agents: whose versions it serves, the first before the others; none: any. */
    labels: text().array().notNull().default([]),
    /** What scopes say now. Nothing reads it: a later version drops it (ADR 044). */
    includesAllChains: boolean().notNull().default(false),
    includesAllPrompts: boolean().notNull().default(false),
    mayRun: boolean().notNull().default(false),
    mayWrite: boolean().notNull().default(false),
    droppedChainIds: integer().array().notNull().default(sql`'{}'`),
    expiresAt: at(),
    requestsPerMinute: integer(),
    callsAtOnce: integer(),
    monthlyBudgetNanos: bigint({ mode: 'number' }),
    answersHelperJobs: boolean().notNull().default(true),
    showsProgress: boolean().notNull().default(false),
    threshold: doublePrecision(),
    /** The signature that a call of its address needs; null: none. */
    signature: jsonb().$type<StoredSignature>(),
    /** AES-256-GCM, bound to id and owner; of the signature. */
    sealedSecret: text(),
    /** Where a call names its delivery; null: where most do. */
    deliveryHeader: text(),
    fills: fills(),
    sends: sends(),
    previousSha256: text().unique(),
    previousUntil: at(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    index('api_tokens_creator').on(t.createdBy),
    index('api_tokens_chain').on(t.chainId),
    index('api_tokens_scopes').using('gin', t.scopes),
    foreignKey({
      name: 'api_tokens_label',
      columns: [t.chainId, t.chainLabel],
      foreignColumns: [chainLabels.recordId, chainLabels.label],
    }),
  ],
)

/** What scopes say now. Nothing reads it: a later version drops it (ADR 044). */
export const apiTokenChains = pgTable(
  'api_token_chains',
  {
    apiTokenId: belongsTo(() => apiTokens.id),
    chainId: belongsTo(() => chains.id),
  },
  (t) => [primaryKey({ columns: [t.apiTokenId, t.chainId] }), index('api_token_chains_chain').on(t.chainId)],
)

export const apiTokenPrompts = pgTable(
  'api_token_prompts',
  {
    apiTokenId: belongsTo(() => apiTokens.id),
    promptId: belongsTo(() => prompts.id),
  },
  (t) => [
    primaryKey({ columns: [t.apiTokenId, t.promptId] }),
    index('api_token_prompts_prompt').on(t.promptId),
  ],
)

/** What a token was used for in a month. Apart from the token, so that a call does not evict the cached token. */
export const apiTokenUses = pgTable(
  'api_token_uses',
  {
    apiTokenId: belongsTo(() => apiTokens.id),
    month: text().notNull(),
    calls: integer().notNull().default(0),
    savedCalls: integer().notNull().default(0),
    inputTokens: bigint({ mode: 'number' }).notNull().default(0),
    outputTokens: bigint({ mode: 'number' }).notNull().default(0),
    costNanos: bigint({ mode: 'number' }).notNull().default(0),
    lastUsed: at().notNull(),
    lastClient: text(),
    lastError: text(),
    lastErrorCode: text(),
    lastErrorAt: at(),
  },
  (t) => [primaryKey({ columns: [t.apiTokenId, t.month] })],
)

export const apiTokenCalls = pgTable(
  'api_token_calls',
  {
    apiTokenId: belongsTo(() => apiTokens.id),
    key: text().notNull(),
    /** SHA-256 of path and body. */
    fingerprint: text().notNull(),
    /** Reserved for the run, which is recorded after this. */
    executionId: integer().notNull(),
    chainId: belongsTo(() => chains.id),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.apiTokenId, t.key] }),
    index('api_token_calls_chain').on(t.chainId),
    index('api_token_calls_created').on(t.createdAt),
  ],
)

/** What came in at a chain's own address: with the run that it began, in one transaction, or why it began none. */
export const hookDeliveries = pgTable(
  'hook_deliveries',
  {
    id: primaryId(),
    apiTokenId: belongsTo(() => apiTokens.id),
    /** As the caller named it; null: it did not. */
    deliveryId: text(),
    /** The same while a repeat of it is known; null: it is past that, or began nothing. */
    knownAs: text(),
    address: text().notNull(),
    status: integer().notNull(),
    reason: text(),
    /** Reserved for the run, which may be deleted before this. */
    executionId: integer(),
    repeats: integer().notNull().default(0),
    createdAt: createdAt(),
    lastAt: createdAt(),
  },
  (t) => [
    uniqueIndex('hook_deliveries_known').on(t.apiTokenId, t.knownAs),
    index('hook_deliveries_newest').on(t.apiTokenId, t.id),
    index('hook_deliveries_created').on(t.createdAt),
  ],
)

export const promptFetches = pgTable(
  'prompt_fetches',
  {
    id: primaryId(),
    userId: belongsTo(() => users.id),
    apiTokenId: integer().references(() => apiTokens.id, { onDelete: 'set null' }),
    tokenName: text().notNull(),
    promptId: belongsTo(() => prompts.id),
    kind: text().$type<(typeof FETCHED_KINDS)[number]>().notNull(),
    version: integer().notNull(),
    label: text().notNull(),
    client: text().notNull(),
    count: integer().notNull(),
    firstAt: at().notNull(),
    lastAt: at().notNull(),
  },
  (t) => [
    uniqueIndex('prompt_fetches_one').on(t.apiTokenId, t.promptId, t.kind, t.version, t.label, t.client),
    index('prompt_fetches_user').on(t.userId, t.lastAt, t.id),
    index('prompt_fetches_prompt').on(t.promptId, t.lastAt, t.id),
    index('prompt_fetches_last').on(t.lastAt),
  ],
)

export interface StoredScore {
  chainId: number
  chainName: string
  score: number
  shown: boolean
}

export const bestChainSelections = pgTable(
  'best_chain_selections',
  {
    id: primaryId(),
    userId: belongsTo(() => users.id),
    apiTokenId: integer().references(() => apiTokens.id, { onDelete: 'set null' }),
    tokenName: text().notNull(),
    request: text().notNull(),
    chainId: integer().references(() => chains.id, { onDelete: 'set null' }),
    chainName: text().notNull(),
    way: text().$type<(typeof SELECTION_WAYS)[number]>().notNull(),
    confidence: doublePrecision(),
    /** How well the words of the best chain fit; null: not kept then, or the request named its chain. */
    bestScore: doublePrecision(),
    reasoning: text().notNull(),
    scores: jsonb().$type<StoredScore[]>().notNull(),
    asked: boolean().notNull().default(false),
    executionId: integer(),
    costNanos: bigint({ mode: 'number' }),
    savedNanos: bigint({ mode: 'number' }),
    correctedChainId: integer().references(() => chains.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
  },
  (t) => [
    index('best_chain_selections_user').on(t.userId, t.id.desc()),
    index('best_chain_selections_token').on(t.apiTokenId, t.id.desc()),
    index('best_chain_selections_chain').on(t.chainId),
    index('best_chain_selections_corrected').on(t.correctedChainId),
  ],
)
