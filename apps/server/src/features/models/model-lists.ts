import { MODEL_LISTS_MAX, type ModelAccess } from '@catenary/contracts'
import type { Transaction } from '../../database/statements/executor.ts'
import { AppError, fieldError } from '../../errors.ts'
import { type Context, transaction } from '../../platform/context.ts'
import { recordActivity } from '../activity/activity.ts'
import {
  deleteGroupList,
  deleteOwnList,
  existsGroup,
  existsPerson,
  type ListOwner,
  listGroupLists,
  listOwnLists,
  lockRegistry,
  saveGroupList,
  saveOwnList,
} from './models.sql.ts'
import { registry } from './registry.ts'

export async function readModelLists(ctx: Context): Promise<ModelAccess> {
  await registry(ctx).refresh()
  const { models } = registry(ctx).now()
  const ids = new Set(models.map(({ id }) => id))
  const known = <List extends { modelIds: number[] }>(list: List): List => ({
    ...list,
    modelIds: list.modelIds.filter((id) => ids.has(id)),
  })
  return {
    everyone: models.filter(({ isForEveryone }) => isForEveryone).map(({ id }) => id),
    people: (await listOwnLists(ctx.db)).map(known),
    groups: (await listGroupLists(ctx.db)).map(known),
  }
}

export async function setModelList(
  ctx: Context,
  { userId, modelIds }: { userId: number; modelIds: number[] },
): Promise<ModelAccess> {
  await requireModels(ctx, modelIds)
  await changeList(ctx, { of: { userId }, modelIds }, async (db) => {
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
  changeList(ctx, { of: { userId }, modelIds: null }, (db) => deleteOwnList(db, userId))

export async function setGroupModels(
  ctx: Context,
  { groupId, modelIds }: { groupId: number; modelIds: number[] },
): Promise<ModelAccess> {
  await requireModels(ctx, modelIds)
  await changeList(ctx, { of: { groupId }, modelIds }, (db) =>
    saveGroupList(db, { groupId, modelIds: [...new Set(modelIds)] }),
  )
  return readModelLists(ctx)
}

export const removeGroupModels = (ctx: Context, groupId: number): Promise<void> =>
  changeList(ctx, { of: { groupId }, modelIds: null }, (db) => deleteGroupList(db, groupId))

async function requireModels(ctx: Context, modelIds: number[]): Promise<void> {
  await registry(ctx).refresh()
  const ids = registry(ctx)
    .now()
    .models.map(({ id }) => id)
  if (!modelIds.every((id) => ids.includes(id)))
    throw fieldError('modelIds', 'One of these models does not exist')
}

async function changeList(
  ctx: Context,
  { of, modelIds }: { of: ListOwner; modelIds: number[] | null },
  write: (db: Transaction) => Promise<void>,
): Promise<void> {
  await transaction(ctx, async (ctx) => {
    const { db } = ctx
    await lockRegistry(db)
    await requireOwner(db, of)
    const before = await findList(db, of)
    await write(db)
    await recordActivity(ctx, {
      kind: 'model.list_changed',
      object: 'userId' in of ? 'account' : 'group',
      id: 'userId' in of ? of.userId : of.groupId,
      before: { modelIds: before?.modelIds ?? null },
      after: { modelIds },
    })
  })
  await registry(ctx).refresh()
}

async function requireOwner(db: Transaction, of: ListOwner): Promise<void> {
  const isThere = 'userId' in of ? await existsPerson(db, of.userId) : await existsGroup(db, of.groupId)
  if (isThere) return
  throw new AppError('not_found', 'userId' in of ? 'This person does not exist' : 'Group not found')
}

async function findList(db: Transaction, of: ListOwner): Promise<{ modelIds: number[] } | undefined> {
  return 'userId' in of
    ? (await listOwnLists(db)).find(({ userId }) => userId === of.userId)
    : (await listGroupLists(db)).find(({ groupId }) => groupId === of.groupId)
}
