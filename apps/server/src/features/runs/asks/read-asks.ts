import type { Ask, AskStatus, ListedAsk, ListQuery, User } from '@catenary/contracts'
import { AppError } from '../../../errors.ts'
import type { SqlContext } from '../../../platform/context.ts'
import {
  cursorPosition,
  defineCursor,
  type ListPage,
  type ListRequest,
  toPage,
} from '../../../platform/list-page.ts'
import {
  type AskRow,
  countAsks,
  countWaiting,
  findOptionalAsk,
  type ListedAskRow,
  listAskRows,
} from './asks.sql.ts'

const CURSOR = defineCursor({ list: 'asks', position: cursorPosition.id })

type AsksQuery = ListQuery & { status?: AskStatus | undefined }

/** Newest first. Throws `invalid` for a foreign cursor. */
export async function listAsks(
  { db }: SqlContext,
  { user, query: { limit, cursor, status } }: ListRequest<{ user: User }, AsksQuery>,
): Promise<ListPage<ListedAsk>> {
  const before = CURSOR.read(cursor)
  const listed = { viewerId: user.id, status }
  return toPage({
    rows: await listAskRows(db, { ...listed, before, limit: limit + 1 }),
    limit,
    total: before === undefined ? { count: await countAsks(db, listed) } : undefined,
    toItem: toListedAsk,
    cursorOf: ({ id }) => CURSOR.write(id),
  })
}

export async function countWaitingAsks({ db }: SqlContext, { user }: { user: User }) {
  return { count: await countWaiting(db, user.id) }
}

/** Throws `not_found` for one that asks neither them nor for them. */
export async function readAsk({ db }: SqlContext, { id, user }: { id: number; user: User }): Promise<Ask> {
  const { calls, ...row } = await findAsk({ db }, { id, user })
  const shown = (calls ?? []).map(({ position, title, text }) => ({ position, title, text }))
  return { ...toAsk(row), ...(shown.length > 0 && { calls: shown }) }
}

export async function findAsk({ db }: SqlContext, { id, user }: { id: number; user: User }): Promise<AskRow> {
  const found = await findOptionalAsk(db, { id, viewerId: user.id })
  if (found === undefined) throw new AppError('not_found', 'Ask not found')
  return found
}

function toListedAsk({ textLength, ...row }: ListedAskRow): ListedAsk {
  return { ...toAsk(row), ...(textLength !== null && { textClipped: true, textLength }) }
}

function toAsk({
  attempt: _,
  userId: _user,
  asked,
  role,
  unsure,
  createdAt,
  closedAt,
  ...row
}: Omit<AskRow, 'calls'>): Ask {
  return {
    ...row,
    ...asked,
    ...(role !== null && { role }),
    ...(unsure !== null && { unsure }),
    since: createdAt.toISOString(),
    deadline: row.deadline.toISOString(),
    at: closedAt?.toISOString() ?? null,
  }
}
