import type { ChainToken } from '@catenary/contracts'
import { nanosToUsd } from '@catenary/domain'
import { type Context, onePerApp } from '../../platform/context.ts'
import { createLateWriter } from '../../platform/late-writer.ts'
import { findMonthCost, listTokenUses, type TokenUse, upsertTokenUse } from './token-uses.sql.ts'

/** What other processes spend is seen after this. */
const SPENT_KEPT_MS = 10_000

interface NewUse
  extends Partial<Pick<TokenUse, 'calls' | 'savedCalls' | 'inputTokens' | 'outputTokens' | 'costNanos'>> {
  tokenId: number
  client?: string | undefined
  error?: { message: string; code: string } | undefined
}

interface Spent {
  month: string
  readAt: number
  nanos: Promise<number>
  sinceNanos: number
}

interface Pending extends TokenUse {
  tokenId: number
  month: string
}

/** Counts what tokens are used for. */
const counted = onePerApp(({ db, log, now }) => {
  const spent = new Map<number, Spent>()

  const thisMonth = () => now().toISOString().slice(0, 7)

  const { add, flush } = createLateWriter<Pending>({
    keyOf: ({ tokenId, month }) => `${tokenId} ${month}`,
    sumOf: ({ tokenId, month, ...before }, use) => ({ tokenId, month, ...sumOf(before, use) }),
    write: async (uses) => {
      const unwritten: Pending[] = []
      for (const use of uses) {
        await upsertTokenUse(db, use).catch((error: unknown) => {
          log.warn({ err: error, tokenId: use.tokenId }, 'the use of a token could not be kept yet')
          unwritten.push(use)
        })
      }
      return unwritten
    },
  })

  function readSpent(tokenId: number): Spent {
    const month = thisMonth()
    const known = spent.get(tokenId)
    const isYoung = known !== undefined && performance.now() - known.readAt < SPENT_KEPT_MS
    if (isYoung && known.month === month) return known
    // Pending uses are written before the database is asked.
    const nanos = flush().then(() => findMonthCost(db, { tokenId, month }))
    const read = { month, readAt: performance.now(), nanos, sinceNanos: 0 }
    spent.set(tokenId, read)
    nanos.catch(() => spent.delete(tokenId))
    return read
  }

  return {
    add({ tokenId, error, client, ...use }: NewUse): void {
      const at = now()
      const known = spent.get(tokenId)
      if (known !== undefined) known.sinceNanos += use.costNanos ?? 0
      add({
        tokenId,
        month: thisMonth(),
        calls: 0,
        savedCalls: 0,
        inputTokens: 0,
        outputTokens: 0,
        costNanos: 0,
        ...use,
        lastUsed: at,
        lastClient: client || null,
        lastError: error?.message ?? null,
        lastErrorCode: error?.code ?? null,
        lastErrorAt: error === undefined ? null : at,
      })
    },

    async spentNanos(tokenId: number): Promise<number> {
      const read = readSpent(tokenId)
      return (await read.nanos) + read.sinceNanos
    },

    thisMonth,
    flush,
  }
})

export const addUse = (ctx: Context, use: NewUse): void => counted(ctx).add(use)

/** In this month, UTC; in nano-dollars. */
export const spentNanos = (ctx: Context, tokenId: number): Promise<number> => counted(ctx).spentNanos(tokenId)

export async function readUses(
  ctx: Context,
  tokenIds: number[],
): Promise<(tokenId: number) => TokenMetrics & LastClient> {
  await writeUses(ctx)
  const month = counted(ctx).thisMonth()
  const rows = await listTokenUses(ctx.db, tokenIds)
  return (tokenId) => toMetrics({ month, rows: rows.filter(({ apiTokenId }) => apiTokenId === tokenId) })
}

export const writeUses = (ctx: Context): Promise<void> => counted(ctx).flush()

function sumOf(before: TokenUse, use: TokenUse): TokenUse {
  return {
    calls: before.calls + use.calls,
    savedCalls: before.savedCalls + use.savedCalls,
    inputTokens: before.inputTokens + use.inputTokens,
    outputTokens: before.outputTokens + use.outputTokens,
    costNanos: before.costNanos + use.costNanos,
    lastUsed: before.lastUsed > use.lastUsed ? before.lastUsed : use.lastUsed,
    lastClient: use.lastClient ?? before.lastClient,
    lastError: use.lastError ?? before.lastError,
    lastErrorCode: use.lastErrorCode ?? before.lastErrorCode,
    lastErrorAt: use.lastErrorAt ?? before.lastErrorAt,
  }
}

interface LastClient {
  lastClient: string | null
}

export type TokenMetrics = Pick<
  ChainToken,
  | 'lastUsed'
  | 'calls'
  | 'savedCalls'
  | 'inputTokens'
  | 'outputTokens'
  | 'costUsd'
  | 'monthCostUsd'
  | 'lastError'
>

function toMetrics({
  month,
  rows,
}: {
  month: string
  rows: (TokenUse & { month: string })[]
}): TokenMetrics & LastClient {
  const sum = (name: 'calls' | 'savedCalls' | 'inputTokens' | 'outputTokens' | 'costNanos') =>
    rows.reduce((total, row) => total + row[name], 0)
  const newest = rows.toSorted((a, b) => b.lastUsed.getTime() - a.lastUsed.getTime())
  const failed = rows
    .flatMap(({ lastErrorAt: at, lastError: message, lastErrorCode: code }) =>
      at === null ? [] : [{ message: message ?? '', code: code ?? '', at }],
    )
    .toSorted((a, b) => b.at.getTime() - a.at.getTime())
  const [lastError] = failed
  return {
    lastUsed: newest[0]?.lastUsed.toISOString() ?? null,
    lastClient: newest.find(({ lastClient }) => lastClient !== null)?.lastClient ?? null,
    calls: sum('calls'),
    savedCalls: sum('savedCalls'),
    inputTokens: sum('inputTokens'),
    outputTokens: sum('outputTokens'),
    costUsd: nanosToUsd(sum('costNanos')) ?? 0,
    monthCostUsd: nanosToUsd(rows.find((row) => row.month === month)?.costNanos ?? 0) ?? 0,
    lastError: lastError === undefined ? null : { ...lastError, at: lastError.at.toISOString() },
  }
}
