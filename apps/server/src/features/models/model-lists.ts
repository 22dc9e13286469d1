import { MODEL_LISTS_MAX, type ModelAccess, type User } from '@catenary/contracts'
import type { Transaction } from '../../database/statements/executor.ts'
import { AppError, fieldError } from '../../errors.ts'
import { type Context, transaction } from '../../platform/context.ts'
import {
  deleteOwnList,
  existsPerson,
  insertListEvent,
  listOwnLists,
  lockRegistry,
  saveOwnList,
} from './models.sql.ts'
import { registry } from './registry.ts'

interface Wanted {
  userId: number
  user: User
}

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
  { modelIds, ...wanted }: Wanted & { modelIds: number[] },
): Promise<ModelAccess> {
  await registry(ctx).refresh()
  const ids = registry(ctx)
    .now()
    .models.map(({ id }) => id)
  if (!modelIds.every((id) => ids.includes(id)))
    throw fieldError('modelIds', 'One of these models does not exist')
  const { userId } = wanted
  await changeList(ctx, { ...wanted, modelIds }, async (db) => {
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

export const removeModelList = (ctx: Context, wanted: Wanted): Promise<void> =>
  changeList(ctx, { ...wanted, modelIds: null }, (db) => deleteOwnList(db, wanted.userId))

async function changeList(
  ctx: Context,
  { userId, user, modelIds }: Wanted & { modelIds: number[] | null },
  write: (db: Transaction) => Promise<void>,
): Promise<void> {
  await transaction(ctx, async ({ db }) => {
    await lockRegistry(db)
    if (!(await existsPerson(db, userId))) throw new AppError('not_found', 'This person does not exist')
    await write(db)
    await insertListEvent(db, { actorId: user.id, userId, details: { modelIds } })
  })
  await registry(ctx).refresh()
}
