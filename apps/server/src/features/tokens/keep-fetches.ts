import type { ListFetchesQuery, PromptFetch, User } from '@catenary/contracts'
import * as z from 'zod'
import { type AppContext, type Context, onePerApp, type SqlContext } from '../../platform/context.ts'
import { createLateWriter } from '../../platform/late-writer.ts'
import {
  cursorPosition,
  defineCursor,
  type ListPage,
  type ListRequest,
  toPage,
} from '../../platform/list-page.ts'
import {
  countFetches,
  deleteOldFetches,
  type FetchesOf,
  listFetches,
  type NewFetch,
  trimFetches,
  upsertFetch,
} from './fetches.sql.ts'
import type { Grant } from './token-grants.ts'

/** Different ones that are kept of a token. */
const KEPT_OF_TOKEN = 1_000
const KEPT_OF_PERSON = 10_000
const KEPT_DAYS = 90
const PAGE_MAX = 100
const CLIENT_MAX = 100
const CURSOR = defineCursor({ list: 'fetches', position: z.tuple([cursorPosition.time, cursorPosition.id]) })

interface Fetched extends Pick<NewFetch, 'promptId' | 'kind' | 'version'> {
  grant: Pick<Grant, 'tokenId' | 'name' | 'user'>
  label: string | null
  client: string
}

const fetched = onePerApp(({ db, log }) => {
  async function trim(of: Parameters<typeof trimFetches>[1]): Promise<void> {
    await trimFetches(db, of).catch((error: unknown) => {
      log.warn({ err: error }, 'old fetches could not be deleted')
    })
  }

  return createLateWriter<NewFetch>({
    keyOf: ({ userId: _, tokenName: __, lastAt: ___, count: ____, ...wanted }) => JSON.stringify(wanted),
    sumOf: (before, fetch) => ({ ...fetch, count: before.count + fetch.count }),
    write: async (fetches) => {
      for (const fetch of fetches) {
        await upsertFetch(db, fetch).catch((error: unknown) => {
          log.warn({ err: error, tokenId: fetch.tokenId }, 'a fetch could not be kept')
        })
      }
      for (const tokenId of new Set(fetches.map((fetch) => fetch.tokenId))) {
        await trim({ tokenId, keep: KEPT_OF_TOKEN })
      }
      // Those of deleted tokens too.
      for (const userId of new Set(fetches.map((fetch) => fetch.userId))) {
        await trim({ userId, keep: KEPT_OF_PERSON })
      }
      return []
    },
  })
})

/** Stored a moment later. */
export function addFetch(ctx: Context, { grant, label, client, ...what }: Fetched): void {
  const { tokenId, name: tokenName, user } = grant
  fetched(ctx).add({
    ...what,
    count: 1,
    tokenId,
    label: label ?? '',
    client: client.slice(0, CLIENT_MAX).toWellFormed(),
    userId: user.id,
    tokenName,
    lastAt: ctx.now(),
  })
}

export const writeFetches = (ctx: Context): Promise<void> => fetched(ctx).flush()

/** By one's own tokens, the last one first. */
export function listOwnFetches(
  ctx: AppContext,
  { user, query }: ListRequest<{ user: User }, ListFetchesQuery>,
): Promise<ListPage<PromptFetch>> {
  return list(ctx, { of: { userId: user.id, tokenId: query.tokenId }, query })
}

/** Of a prompt, by everyone; the caller has asked whether the person may change it. */
export function listFetchesOfPrompt(
  ctx: AppContext,
  { promptId, user, query }: ListRequest<{ promptId: number; user: User }>,
): Promise<ListPage<PromptFetch>> {
  return list(ctx, { of: { promptId, viewerId: user.id }, query })
}

async function list(
  ctx: AppContext,
  { of, query }: ListRequest<{ of: FetchesOf }>,
): Promise<ListPage<PromptFetch>> {
  await writeFetches(ctx)
  const { db } = ctx
  const limit = Math.min(query.limit, PAGE_MAX)
  const [time, id] = CURSOR.read(query.cursor) ?? []
  const before = time === undefined || id === undefined ? undefined : { at: new Date(time), id }
  return toPage({
    rows: await listFetches(db, { of, before, limit: limit + 1 }),
    limit,
    total: before === undefined ? { count: await countFetches(db, of) } : undefined,
    toItem: ({ label, firstAt, lastAt, ...fetch }): PromptFetch => ({
      ...fetch,
      label: label === '' ? null : label,
      firstAt: firstAt.toISOString(),
      lastAt: lastAt.toISOString(),
    }),
    cursorOf: ({ lastAt, id: last }) => CURSOR.write([lastAt.toISOString(), last]),
  })
}

/** Returns how many were deleted. */
export const deleteExpiredFetches = ({ db }: SqlContext): Promise<number> =>
  deleteOldFetches(db, { days: KEPT_DAYS })
