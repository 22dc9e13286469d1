import type { TokenType } from '@catenary/contracts'
import { and, asc, desc, eq, getTableColumns, inArray, lt, type SQL, sql } from 'drizzle-orm'
import { byLetters } from '../../database/schema/columns.ts'
import { apiTokens, bestChainSelections, chains, prompts, users } from '../../database/schema/index.ts'
import type { Database, Executor, Transaction } from '../../database/statements/executor.ts'
import { preparePlain, underKeys } from '../../database/statements/plain-statement.ts'
import { promptOrder } from '../../database/statements/prompt-search.ts'
import { sealedColumn } from '../../database/statements/sealed-columns.ts'
import { chainsVisibleTo, promptsVisibleTo } from '../../database/statements/visible-rows.ts'
import { sealContextOf, secretContextOf } from './token-value.ts'

type NewToken = typeof apiTokens.$inferInsert
/** All but what scopes say now, so that a later version may drop that beside this one (ADR 044). */
const {
  includesAllChains: _allChains,
  includesAllPrompts: _allPrompts,
  mayRun: _mayRun,
  mayWrite: _mayWrite,
  droppedChainIds: _dropped,
  ...tokenColumns
} = getTableColumns(apiTokens)
export type TokenRow = Pick<typeof apiTokens.$inferSelect, keyof typeof tokenColumns>
export type TokenFields = Partial<Omit<NewToken, 'id' | 'kind' | 'createdBy' | 'chainId'>>

export type TokensOf = { chainId: number } | { createdBy: number; kind: TokenType | undefined }

function isOf(of: TokensOf | { id: number }): SQL | undefined {
  if ('id' in of) return eq(apiTokens.id, of.id)
  if ('chainId' in of) return eq(apiTokens.chainId, of.chainId)
  const { createdBy, kind } = of
  return and(eq(apiTokens.createdBy, createdBy), kind === undefined ? undefined : eq(apiTokens.kind, kind))
}

export function listTokens(
  db: Executor,
  { before, limit = 1, ...of }: (TokensOf | { id: number }) & { before?: number | undefined; limit?: number },
) {
  return db
    .select({ ...tokenColumns, creator: users.displayUsername })
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
  const [found] = await db.select(tokenColumns).from(apiTokens).where(eq(apiTokens.id, id)).for('update')
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

export function listPromptTitles(db: Executor, { ids, userId }: { ids: number[]; userId: number }) {
  return db
    .select({ id: prompts.id, title: prompts.title })
    .from(prompts)
    .where(and(inArray(prompts.id, ids), promptsVisibleTo(userId)))
    .orderBy(asc(promptOrder), asc(prompts.id))
}

export function listChainNames(db: Executor, { ids, userId }: { ids: number[]; userId: number }) {
  return db
    .select({ id: chains.id, name: chains.name })
    .from(chains)
    .where(and(inArray(chains.id, ids), chainsVisibleTo(userId)))
    .orderBy(asc(byLetters(chains.name)), asc(chains.id))
}

export function listLastSelections(db: Executor, tokenIds: number[]) {
  const { apiTokenId, chainId, chainName, confidence } = bestChainSelections
  return db
    .selectDistinctOn([apiTokenId], { tokenId: apiTokenId, chainId, chainName, confidence })
    .from(bestChainSelections)
    .where(inArray(apiTokenId, tokenIds))
    .orderBy(apiTokenId, desc(bestChainSelections.id))
}

const GRANT_FIELDS = [
  ...(['name', 'chainId', 'chainLabel', 'scopes', 'labels', 'fills', 'sends', 'expiresAt'] as const),
  ...(['requestsPerMinute', 'callsAtOnce', 'answersHelperJobs', 'showsProgress', 'threshold'] as const),
  ...(['signature', 'sealedSecret', 'deliveryHeader'] as const),
]

export interface StoredGrant extends Pick<TokenRow, (typeof GRANT_FIELDS)[number] | 'monthlyBudgetNanos'> {
  tokenId: number
  /** When the value that was asked for ends, where it is the one before the last rotation. */
  valueUntil: Date | null
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
    ...Object.fromEntries(GRANT_FIELDS.map((field) => [field, apiTokens[field]])),
    tokenId: apiTokens.id,
    valueUntil: sql`case when ${apiTokens.sha256} <> ${hash} then ${apiTokens.previousUntil} end`,
    monthlyBudgetNanos: sql`${apiTokens.monthlyBudgetNanos}::double precision`,
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

export const sealedHookSecrets = sealedColumn({
  what: 'secrets of addresses',
  id: apiTokens.id,
  column: apiTokens.sealedSecret,
  beside: { createdBy: apiTokens.createdBy },
  contextOf: secretContextOf,
})
