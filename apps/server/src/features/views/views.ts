import { type CreateViewRequest, type User, type View, viewsApi } from '@catenary/contracts'
import { AppError } from '../../errors.ts'
import { type Context, type SqlContext, transaction } from '../../platform/context.ts'
import { handlers } from '../../platform/http/endpoints.ts'
import {
  cursorPosition,
  defineCursor,
  type ListPage,
  type ListRequest,
  toPage,
} from '../../platform/list-page.ts'
import { recordActivity } from '../activity/activity.ts'
import { countViews, deleteViewRow, findOptionalView, insertView, listViewRows } from './views.sql.ts'

const CURSOR = defineCursor({ list: 'views', position: cursorPosition.id })

export const serveViews = handlers(viewsApi, {
  'GET /api/views': listViews,
  'POST /api/views': (ctx, { body, user }) => createView(ctx, { ...body, user }),
  'DELETE /api/views/{id}': (ctx, { params: { id }, user }) => deleteView(ctx, { id, user }),
})

/** Oldest first. Throws `invalid` for a foreign cursor. */
async function listViews(
  { db }: SqlContext,
  { user, query: { limit, cursor } }: ListRequest<{ user: User }>,
): Promise<ListPage<View>> {
  const after = CURSOR.read(cursor)
  return toPage({
    rows: await listViewRows(db, { ownerId: user.id, after, limit: limit + 1 }),
    limit,
    total: after ? undefined : { count: await countViews(db, user.id) },
    toItem: (row) => row,
    cursorOf: ({ id }) => CURSOR.write(id),
  })
}

/** Throws `conflict` with the existing view as details when the name is taken on that page. */
function createView(ctx: Context, { user, ...fields }: CreateViewRequest & { user: User }): Promise<View> {
  return transaction(ctx, async (ctx) => {
    const { db } = ctx
    const view = { ...fields, ownerId: user.id }
    const created = await insertView(db, view)
    if (created === undefined) {
      throw new AppError('conflict', 'View exists', { details: await findOptionalView(db, view) })
    }
    await recordActivity(ctx, { kind: 'view.created', object: 'view', id: created.id })
    return created
  })
}

/** Throws `not_found` for others'. */
function deleteView(ctx: Context, { id, user }: { id: number; user: User }): Promise<void> {
  return transaction(ctx, async (ctx) => {
    if (!(await deleteViewRow(ctx.db, { id, ownerId: user.id }))) {
      throw new AppError('not_found', 'View not found')
    }
    await recordActivity(ctx, { kind: 'view.deleted', object: 'view', id })
  })
}
