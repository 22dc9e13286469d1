import type { Fill, TokenType } from '@catenary/contracts'
import { and, asc, desc, eq, getTableColumns, inArray, lt, type SQL, sql } from 'drizzle-orm'
import type { Database, Executor, Transaction } from '../../db/executor.ts'
import { preparePlain, underKeys } from '../../db/plain-statement.ts'
import { byLetters } from '../../db/schema/columns.ts'
import {
  apiTokenChains,
  apiTokenPrompts,
  apiTokens,
  auditEvents,
  bestChainSelections,
  chainShares,
  chains,
  prompts,
  users,
} from '../../db/schema/index.ts'
import { promptOrder } from '../../db/sql/prompt-search.ts'
import { sealedColumn } from '../../db/sql/sealed-columns.ts'
import { chainsVisibleTo, isShareOf, promptsVisibleTo } from '../../db/sql/visible-rows.ts'
import { sealContextOf } from './token-value.ts'

type NewToken = typeof apiTokens.$inferInsert
export type TokenRow = typeof apiTokens.$inferSelect
export type TokenFields = Partial<Omit<NewToken, 'id' | 'kind' | 'createdBy' | 'chainId'>>

/** A chain's, or those that a person created, of a kind or of all. */
export type TokensOf = { chainId: number } | { createdBy: number; kind: TokenType | undefined }

function isOf(of: TokensOf | { id: number }): SQL | undefined {
  if ('id' in of) return eq(apiTokens.id, of.id)
  if ('chainId' in of) return eq(apiTokens.chainId, of.chainId)
  const { createdBy, kind } = of
  return and(eq(apiTokens.createdBy, createdBy), kind === undefined ? undefined : eq(apiTokens.kind, kind))
}

/** Tokens with their creators' names, newest first, from before an id on. */
export function listTokens(
  db: Executor,
  { before, limit = 1, ...of }: (TokensOf | { id: number }) & { before?: number | undefined; limit?: number },
) {
  return db
    .select({ ...getTableColumns(apiTokens), creator: users.displayUsername })
    .from(apiTokens)
    .innerJoin(users, eq(users.id, apiTokens.createdBy))
    .where(and(isOf(of), before === undefined ? undefined : lt(apiTokens.id, before)))
    .orderBy(desc(apiTokens.id))
    .limit(limit)
}

export function countTokens(db: Executor, of: TokensOf): Promise<number> {
  return db.$count(apiTokens, isOf(of))
}

export type ListedToken = Awaited<ReturnType<typeof listTokens>>[number]

/** Kept from other writers until the transaction ends. */
export async function lockOptionalToken(db: Transaction, id: number): Promise<TokenRow | undefined> {
  const [found] = await db.select().from(apiTokens).where(eq(apiTokens.id, id)).for('update')
  return found
}

export async function insertToken(db: Executor, token: NewToken): Promise<number> {
  const [created] = await db.insert(apiTokens).values(token).returning({ id: apiTokens.id })
  if (created === undefined) throw new Error('The insert returned no row')
  return created.id
}

export async function updateTokenRow(
  db: Executor,
  { id, ...fields }: TokenFields & { id: number },
): Promise<void> {
  await db
    .update(apiTokens)
    .set({ ...fields, updatedAt: sql`now()` })
    .where(eq(apiTokens.id, id))
}

export async function deleteTokenRow(db: Executor, id: number): Promise<void> {
  await db.delete(apiTokens).where(eq(apiTokens.id, id))
}

export async function replaceTokenChains(
  db: Executor,
  { tokenId, chainIds }: { tokenId: number; chainIds: number[] },
): Promise<void> {
  await db.delete(apiTokenChains).where(eq(apiTokenChains.apiTokenId, tokenId))
  const rows = [...new Set(chainIds)].map((chainId) => ({ apiTokenId: tokenId, chainId }))
  if (rows.length > 0) await db.insert(apiTokenChains).values(rows)
}

export async function countTokenChains(db: Executor, tokenId: number): Promise<number> {
  return db.$count(apiTokenChains, eq(apiTokenChains.apiTokenId, tokenId))
}

export async function replaceTokenPrompts(
  db: Executor,
  { tokenId, promptIds }: { tokenId: number; promptIds: number[] },
): Promise<void> {
  await db.delete(apiTokenPrompts).where(eq(apiTokenPrompts.apiTokenId, tokenId))
  const rows = [...new Set(promptIds)].map((promptId) => ({ apiTokenId: tokenId, promptId }))
  if (rows.length > 0) await db.insert(apiTokenPrompts).values(rows)
}

/** Those of the chains that the person can see. */
export async function listVisibleChainIds(
  db: Executor,
  { ids, userId }: { ids: number[]; userId: number },
): Promise<number[]> {
  const rows = await db
    .select({ id: chains.id })
    .from(chains)
    .leftJoin(chainShares, isShareOf(userId))
    .where(and(inArray(chains.id, ids), chainsVisibleTo(userId)))
  return rows.map(({ id }) => id)
}

/** Those of the prompts that the person can see. */
export async function listVisiblePromptIds(
  db: Executor,
  { ids, userId }: { ids: number[]; userId: number },
): Promise<number[]> {
  const rows = await db
    .select({ id: prompts.id })
    .from(prompts)
    .where(and(inArray(prompts.id, ids), promptsVisibleTo(userId)))
  return rows.map(({ id }) => id)
}

/** What read tokens fetch, as far as the person can see it. */
export function listTokenPrompts(db: Executor, { tokenIds, userId }: { tokenIds: number[]; userId: number }) {
  return db
    .select({ tokenId: apiTokenPrompts.apiTokenId, id: prompts.id, title: prompts.title })
    .from(apiTokenPrompts)
    .innerJoin(prompts, eq(prompts.id, apiTokenPrompts.promptId))
    .where(and(inArray(apiTokenPrompts.apiTokenId, tokenIds), promptsVisibleTo(userId)))
    .orderBy(asc(promptOrder), asc(prompts.id))
}

/** What the tokens are narrowed to, each chain with its name where the person can see it. */
export async function listTokenChains(
  db: Executor,
  { tokenIds, userId }: { tokenIds: number[]; userId: number },
) {
  return db
    .select({
      tokenId: apiTokenChains.apiTokenId,
      id: chains.id,
      name: sql<string | null>`case when ${chainsVisibleTo(userId)} then ${chains.name} end`,
    })
    .from(apiTokenChains)
    .innerJoin(chains, eq(chains.id, apiTokenChains.chainId))
    .leftJoin(chainShares, isShareOf(userId))
    .where(inArray(apiTokenChains.apiTokenId, tokenIds))
    .orderBy(asc(byLetters(chains.name)), asc(chains.id))
}

/** The newest choice of each token. */
export function listLastSelections(db: Executor, tokenIds: number[]) {
  const { apiTokenId, chainId, chainName, confidence } = bestChainSelections
  return db
    .selectDistinctOn([apiTokenId], { tokenId: apiTokenId, chainId, chainName, confidence })
    .from(bestChainSelections)
    .where(inArray(apiTokenId, tokenIds))
    .orderBy(apiTokenId, desc(bestChainSelections.id))
}

/** Records who did what to a token. */
export async function insertTokenEvent(
  db: Executor,
  { tokenId, ...event }: { actorId: number; tokenId: number; action: string; details?: object },
): Promise<void> {
  await db.insert(auditEvents).values({ ...event, objectType: 'api_token', objectId: tokenId })
}

/** A token as a call needs it, with the person as whom it runs. */
export interface StoredGrant {
  id: number
  kind: TokenType
  name: string
  chainId: number | null
  chainLabel: string | null
  includesAllChains: boolean
  chainIds: number[]
  includesAllPrompts: boolean
  promptIds: number[]
  labels: string[]
  mayRun: boolean
  mayWrite: boolean
  fills: Fill[]
  expiresAt: Date | null
  /** When the value that was asked for ends, where it is the one before the last rotation. */
  valueUntil: Date | null
  requestsPerMinute: number | null
  callsAtOnce: number | null
  monthlyBudgetNanos: number | null
  answersHelperJobs: boolean
  showsProgress: boolean
  threshold: number | null
  userId: number
  username: string
  email: string
  role: string
  banned: boolean
  banExpires: Date | null
}

/** By the hash of its value; plain, as each call asks that is not answered from memory. */
export function prepareFindGrant(db: Database): (hash: string) => Promise<StoredGrant | undefined> {
  const hash = sql.placeholder('hash')
  const columns = {
    id: apiTokens.id,
    kind: apiTokens.kind,
    name: apiTokens.name,
    chainId: apiTokens.chainId,
    chainLabel: apiTokens.chainLabel,
    includesAllChains: apiTokens.includesAllChains,
    chainIds: sql`array(
      select ${apiTokenChains.chainId} from ${apiTokenChains} where ${apiTokenChains.apiTokenId} = ${apiTokens.id}
    )`,
    includesAllPrompts: apiTokens.includesAllPrompts,
    labels: apiTokens.labels,
    promptIds: sql`array(
      select ${apiTokenPrompts.promptId} from ${apiTokenPrompts} where ${apiTokenPrompts.apiTokenId} = ${apiTokens.id}
    )`,
    mayRun: apiTokens.mayRun,
    mayWrite: apiTokens.mayWrite,
    fills: apiTokens.fills,
    expiresAt: apiTokens.expiresAt,
    valueUntil: sql`case when ${apiTokens.sha256} <> ${hash} then ${apiTokens.previousUntil} end`,
    requestsPerMinute: apiTokens.requestsPerMinute,
    callsAtOnce: apiTokens.callsAtOnce,
    monthlyBudgetNanos: sql`${apiTokens.monthlyBudgetNanos}::double precision`,
    answersHelperJobs: apiTokens.answersHelperJobs,
    showsProgress: apiTokens.showsProgress,
    threshold: apiTokens.threshold,
    userId: users.id,
    username: users.displayUsername,
    email: users.email,
    role: users.role,
    banned: users.banned,
    banExpires: users.banExpires,
  }
  const list = preparePlain<string, StoredGrant>({
    db,
    name: 'find_grant',
    query: db
      .select(underKeys(columns))
      .from(apiTokens)
      .innerJoin(users, eq(users.id, apiTokens.createdBy))
      .where(sql`${apiTokens.sha256} = ${hash} or ${apiTokens.previousSha256} = ${hash}`),
    readerOf: () => (value) => value,
  })
  return async (value) => (await list(value))[0]
}

export const sealedTokenValues = sealedColumn({
  what: 'values of tokens',
  id: apiTokens.id,
  column: apiTokens.encryptedValue,
  beside: { createdBy: apiTokens.createdBy, kind: apiTokens.kind },
  contextOf: sealContextOf,
})
