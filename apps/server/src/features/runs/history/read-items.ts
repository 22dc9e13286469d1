import type { ItemsQuery, ListedRunItem, RunItem } from '@catenary/contracts'
import { AppError } from '../../../errors.ts'
import type { Context } from '../../../platform/context.ts'
import {
  cursorPosition,
  defineCursor,
  type ListPage,
  type ListRequest,
  toPage,
} from '../../../platform/list-page.ts'
import { toListedItem, toRunItem } from './item-views.ts'
import { findStep, type WantedRun } from './read-run.ts'
import { countItemRows, findItemRow, listItemRows } from './run-items.sql.ts'

const ITEM_CURSOR = defineCursor({ list: 'items', position: cursorPosition.id })

type WantedStep = WantedRun & { position: number }

export async function listRunItems(
  ctx: Context,
  { query, ...wanted }: ListRequest<WantedStep, ItemsQuery>,
): Promise<ListPage<ListedRunItem>> {
  const { limit, cursor, status } = query
  const { step, view } = await findStep(ctx, wanted)
  const after = ITEM_CURSOR.read(cursor)
  const filter = { executionId: wanted.id, position: wanted.position, status }
  // Who does not see how many there are sees none.
  const rows = step.itemCounts ? await listItemRows(ctx.db, { ...filter, after, limit: limit + 1 }) : []
  const count = after === undefined && step.itemCounts ? await countItemRows(ctx.db, filter) : rows.length
  return toPage({
    rows,
    limit,
    total: after === undefined ? { count } : undefined,
    toItem: (row) => toListedItem({ row, step, access: view.access }),
    cursorOf: ({ index }) => ITEM_CURSOR.write(index),
  })
}

export async function readRunItem(
  ctx: Context,
  { index, ...wanted }: WantedStep & { index: number },
): Promise<RunItem> {
  const { step, view } = await findStep(ctx, wanted)
  const { id: executionId, position } = wanted
  const row = step.itemCounts && (await findItemRow(ctx.db, { executionId, position, index }))
  if (row === undefined) throw new AppError('not_found', 'This step has no such item')
  return toRunItem({ row, step, access: view.access })
}
