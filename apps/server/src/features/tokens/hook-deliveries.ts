import { HOOK_REFUSED_MAX, type HookDelivery, type ListQuery, type User } from '@catenary/contracts'
import type { Transaction } from '../../database/statements/executor.ts'
import type { Context } from '../../platform/context.ts'
import { cursorPosition, defineCursor, type ListPage, toPage } from '../../platform/list-page.ts'
import {
  countDeliveries,
  insertDelivery,
  insertRefused,
  listDeliveries,
  repeatDelivery,
  trimRefused,
} from './hook-deliveries.sql.ts'
import { findOwnToken } from './open-token.ts'
import type { Grant } from './token-grants.ts'

const TRIMMED_EVERY = 50
const CURSOR = defineCursor({ list: 'deliveries', position: cursorPosition.id })

/** Another call brought the same delivery meanwhile. */
export class RepeatedDeliveryError extends Error {}

interface Delivery {
  grant: Grant
  /** As the caller named it; null: it did not. */
  deliveryId: string | null
  address: string
}

/** The run that the same delivery began within the last days, which counts the repeat. */
export async function findRepeated(
  { db }: Context,
  { grant: { tokenId }, deliveryId }: Delivery,
): Promise<number | undefined> {
  return deliveryId === null ? undefined : repeatDelivery(db, { tokenId, deliveryId })
}

/** Kept in the transaction that records its run. Throws a RepeatedDeliveryError. */
export async function keepDelivery(
  { db }: Context<Transaction>,
  { grant: { tokenId }, executionId, deliveryId, address }: Delivery & { executionId: number },
): Promise<void> {
  if (!(await insertDelivery(db, { tokenId, deliveryId, address, executionId })))
    throw new RepeatedDeliveryError()
}

/** Kept too, the newest of them. */
export async function keepRefused(
  { db }: Context,
  { grant: { tokenId }, ...refused }: Delivery & { status: number; reason: string },
): Promise<void> {
  const id = await insertRefused(db, { tokenId, ...refused })
  if (id % TRIMMED_EVERY === 0) await trimRefused(db, { tokenId, keep: HOOK_REFUSED_MAX })
}

/** To the address of a token of the person's own. */
export async function listOwnDeliveries(
  ctx: Context,
  { id: tokenId, user, query: { limit, cursor } }: { id: number; user: User; query: ListQuery },
): Promise<ListPage<HookDelivery>> {
  await findOwnToken(ctx, { id: tokenId, user })
  const { db } = ctx
  const before = CURSOR.read(cursor)
  return toPage({
    rows: await listDeliveries(db, { tokenId, before, limit: limit + 1 }),
    limit,
    total: before === undefined ? { count: await countDeliveries(db, tokenId) } : undefined,
    toItem: ({ apiTokenId: _token, knownAs: _known, createdAt, lastAt, ...delivery }): HookDelivery => ({
      ...delivery,
      at: createdAt.toISOString(),
      lastAt: lastAt.toISOString(),
    }),
    cursorOf: ({ id }) => CURSOR.write(id),
  })
}
