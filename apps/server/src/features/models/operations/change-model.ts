import {
  type createModelRequest,
  type ManagedModel,
  MODELS_MAX,
  type ModelUse,
  type UpdateModelRequest,
  type User,
} from '@catenary/contracts'
import { nanosToUsd, usdToNanos } from '@catenary/domain'
import type * as z from 'zod'
import type { Transaction } from '../../../db/executor.ts'
import { AppError, fieldError } from '../../../errors.ts'
import { removeFromLists } from '../model-lists.repository.ts'
import { countUses } from '../model-use.repository.ts'
import { viewOfModel } from '../model-views.ts'
import {
  deleteModelRow,
  insertModel,
  insertPrice,
  insertRegistryEvent,
  listModels,
  listProviders,
  lockRegistry,
  type ModelRow,
  updateModel,
} from '../models.repository.ts'
import type { ModelsDeps, Wanted } from '../models-deps.ts'

/** Of the environment's, these stand there. */
const FIXED = ['label', 'providerId', 'modelId'] as const
/** Names of chains for programs begin so. */
const RESERVED = /^(claude-)?chain-/
const NO_PRICE = { input: null, output: null, cached: null }

/** In order; those of the environment that have no address there aside. */
export async function readModels({ models, registry, spending }: ModelsDeps): Promise<ManagedModel[]> {
  await registry.refresh()
  const spent = await spending.list()
  return registry
    .now()
    .models.filter(({ provider, source }) => provider.environmentAlias === null || source !== undefined)
    .map((model) => viewOfModel(model, { models, spentNanos: spent.get(model.alias)?.month ?? 0 }))
}

/** Throws `not_found`. */
export async function findModel(deps: ModelsDeps, id: number): Promise<ManagedModel> {
  const found = (await readModels(deps)).find((model) => model.id === id)
  if (found === undefined) throw notFound()
  return found
}

/** Throws `conflict` at the alias that another model has. */
export async function createModel(
  deps: ModelsDeps,
  { fields, user }: { fields: z.output<typeof createModelRequest>; user: User },
): Promise<ManagedModel> {
  const { alias, prices, monthlyLimitUsd, ...own } = fields
  if (RESERVED.test(alias)) {
    throw fieldError('alias', `${alias} begins like the name of a chain. Choose another.`)
  }
  const id = await deps.db.transaction(async (tx) => {
    await lockRegistry(tx)
    await requireProvider(tx, own.providerId)
    const before = await listModels(tx)
    if (before.length >= MODELS_MAX) {
      throw new AppError('conflict', `There are ${MODELS_MAX} models. Remove one to add another.`)
    }
    if (before.some((model) => model.alias === alias)) {
      throw fieldError('alias', `There is a model ${alias} already. Choose another alias.`, 'conflict')
    }
    const last = Math.max(-1, ...before.map(({ position }) => position))
    const monthlyLimitNanos = usdToNanos(monthlyLimitUsd)
    const added = await insertModel(tx, {
      ...own,
      alias,
      monthlyLimitNanos,
      position: own.position ?? last + 1,
    })
    if (prices !== null) await insertPrice(tx, { modelId: added, ...prices })
    const event = { actorId: user.id, objectType: 'model', objectId: added } as const
    await insertRegistryEvent(tx, { ...event, action: 'model.added', details: fields })
    return added
  })
  await deps.registry.refresh()
  return findModel(deps, id)
}

/** Absent fields stay. A price counts from now on: what earlier runs cost stays. */
export async function changeModel(
  deps: ModelsDeps,
  { fields, ...wanted }: Wanted & { fields: UpdateModelRequest },
): Promise<ManagedModel> {
  await writeModel(deps, { ...wanted, action: 'changed' }, async (tx, { id, modelId }) => {
    const { prices, monthlyLimitUsd, ...own } = fields
    const fixed = FIXED.find((name) => modelId === null && fields[name] !== undefined)
    if (fixed !== undefined) throw fieldError(fixed, 'This stands in the environment, which alone changes it')
    if (own.providerId !== undefined) await requireProvider(tx, own.providerId)
    const monthlyLimitNanos = monthlyLimitUsd === undefined ? undefined : usdToNanos(monthlyLimitUsd)
    await updateModel(tx, { id, ...own, monthlyLimitNanos })
    if (prices !== undefined) await insertPrice(tx, { modelId: id, ...(prices ?? NO_PRICE) })
    return fields
  })
  return findModel(deps, wanted.id)
}

/** What it cost stays counted, and runs keep its name. Throws `conflict` for one of the environment. */
export function deleteModel(deps: ModelsDeps, wanted: Wanted): Promise<void> {
  return writeModel(deps, { ...wanted, action: 'removed' }, async (tx, { id, modelId }) => {
    if (modelId === null) {
      throw new AppError('conflict', 'This model stands in the environment. Switch it off instead.')
    }
    await removeFromLists(tx, id)
    await deleteModelRow(tx, id)
    return {}
  })
}

/** What it cost, and how much asks for it. */
export async function readUse(deps: ModelsDeps, id: number): Promise<ModelUse> {
  const { alias } = await findModel(deps, id)
  const spent = (await deps.spending.list()).get(alias) ?? { month: 0, total: 0 }
  return {
    monthUsd: nanosToUsd(spent.month) ?? 0,
    totalUsd: nanosToUsd(spent.total) ?? 0,
    ...(await countUses(deps.db, alias)),
  }
}

/** Changes one model; the calls that begin after it resolves know of it. */
async function writeModel(
  { db, registry }: ModelsDeps,
  { id, user, action }: Wanted & { action: string },
  write: (tx: Transaction, model: ModelRow) => Promise<object>,
): Promise<void> {
  await db.transaction(async (tx) => {
    await lockRegistry(tx)
    const model = (await listModels(tx)).find((one) => one.id === id)
    if (model === undefined) throw notFound()
    const details = await write(tx, model)
    await insertRegistryEvent(tx, {
      actorId: user.id,
      action: `model.${action}`,
      objectType: 'model',
      objectId: id,
      details: { alias: model.alias, ...details },
    })
  })
  await registry.refresh()
}

async function requireProvider(tx: Transaction, id: number): Promise<void> {
  if ((await listProviders(tx)).some((row) => row.id === id)) return
  throw fieldError('providerId', 'This provider does not exist')
}

const notFound = () => new AppError('not_found', 'This model does not exist')
