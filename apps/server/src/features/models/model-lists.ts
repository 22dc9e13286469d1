import { MODEL_LISTS_MAX, type ModelAccess } from '@catenary/contracts'
import type { Transaction } from '../../database/statements/executor.ts'
import { AppError, fieldError } from '../../errors.ts'
import { type Context, transaction } from '../../platform/context.ts'
import { recordActivity } from '../activity/activity.ts'
import { deleteOwnList, existsPerson, listOwnLists, lockRegistry, saveOwnList } from './models.sql.ts'
import { registry } from './registry.ts'

export async function readModelLists(ctx: Context): Promise<ModelAccess> {
  await registry(ctx).refresh()
  const { models } = registry(ctx).now()
  const ids = new Set(models.map(({ id }) => id))
  const own = await listOwnLists(ctx.db)
  return {
    everyone: models.filter(({ isForEveryone }) => isForEveryone).map(({ id }) => id),
    people: own.map((list) => ({ ...list, modelIds: list.modelIds.filter((id) => ids.has(id)) })),
  }
}

export async function setModelList(
  ctx: Context,
  { userId, modelIds }: { userId: number; modelIds: number[] },
): Promise<ModelAccess> {
  await registry(ctx).refresh()
  const ids = registry(ctx)
    .now()
    .models.map(({ id }) => id)
  if (!modelIds.every((id) => ids.includes(id)))
    throw fieldError('modelIds', 'One of these models does not exist')
  await changeList(ctx, { userId, modelIds }, async (db) => {
    const others = (await listOwnLists(db)).filter((list) => list.userId !== userId)
    if (others.length >= MODEL_LISTS_MAX) {
      throw new AppError(
        'conflict',
        `${MODEL_LISTS_MAX} people already have their own list. Remove one to add another.`,
      )
    }
    await saveOwnList(db, { userId, modelIds: [...new Set(modelIds)] })
  })
  return readModelLists(ctx)
}

export const removeModelList = (ctx: Context, userId: number): Promise<void> =>
  changeList(ctx, { userId, modelIds: null }, (db) => deleteOwnList(db, userId))

async function changeList(
  ctx: Context,
  { userId, modelIds }: { userId: number; modelIds: number[] | null },
  write: (db: Transaction) => Promise<void>,
): Promise<void> {
  await transaction(ctx, async (ctx) => {
    const { db } = ctx
    await lockRegistry(db)
    if (!(await existsPerson(db, userId))) throw new AppError('not_found', 'This person does not exist')
    const before = (await listOwnLists(db)).find((list) => list.userId === userId)
    await write(db)
    await recordActivity(ctx, {
      kind: 'model.list_changed',
      object: 'account',
      id: userId,
      before: { modelIds: before?.modelIds ?? null },
      after: { modelIds },
    })
  })
  await registry(ctx).refresh()
}
