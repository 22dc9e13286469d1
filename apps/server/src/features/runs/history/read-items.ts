import type { ItemsQuery, ListedRunItem, RunItem, User } from '@catenary/contracts'
import { AppError } from '../../../errors.ts'
import type { Context } from '../../../platform/context.ts'
import { cursorPosition, defineCursor, type ListPage, type ListRequest } from '../../../platform/list-page.ts'
import { readRunStep } from './read-run.ts'

const ITEM_CURSOR = defineCursor({ list: 'items', position: cursorPosition.id })

interface WantedStep {
  id: number
  position: number
  user: User
}

export async function listRunItems(
  ctx: Context,
  { query, ...wanted }: ListRequest<WantedStep, ItemsQuery>,
): Promise<ListPage<ListedRunItem>> {
  await readRunStep(ctx, wanted)
  const cursorAfter = (index: number) => ITEM_CURSOR.write(index)
  return { items: [], limit: query.limit, total: { count: 0 }, cursorAfter }
}

export async function readRunItem(
  ctx: Context,
  { index: _, ...wanted }: WantedStep & { index: number },
): Promise<RunItem> {
  await readRunStep(ctx, wanted)
  throw new AppError('not_found', 'This step has no such item')
}
