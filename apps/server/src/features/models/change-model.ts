import {
  type ActivityFields,
  type createModelRequest,
  eachCapability,
  type ManagedModel,
  MODELS_MAX,
  type ModelUse,
  PROVIDER_KINDS,
  type RegisteredPrice,
  type UpdateModelRequest,
} from '@catenary/contracts'
import { type ModelPrice, nanosToUsd, usdToNanos } from '@catenary/domain'
import type * as z from 'zod'
import type { Transaction } from '../../database/statements/executor.ts'
import { AppError, fieldError } from '../../errors.ts'
import { type Context, transaction } from '../../platform/context.ts'
import type { Models } from '../../platform/models/models.ts'
import { recordActivity } from '../activity/activity.ts'
import { judgeAmong } from './model-access.ts'
import { modelSpending } from './model-spending.ts'
import {
  countUses,
  deleteModelRow,
  insertModel,
  insertPrice,
  listModels,
  listProviders,
  lockRegistry,
  type ModelRow,
  type ProviderRow,
  removeFromLists,
  updateModel,
} from './models.sql.ts'
import { type RegisteredModel, registry } from './registry.ts'

const FIXED = ['label', 'providerId', 'modelId'] as const
/** Names of chains for programs begin so. */
const RESERVED = /^(claude-)?chain-/
const NO_PRICE = { input: null, output: null, cached: null }

interface Wanted {
  id: number
}

export async function readModels(ctx: Context): Promise<ManagedModel[]> {
  const { models, settings } = ctx
  await registry(ctx).refresh()
  const spent = await modelSpending(ctx).list()
  const judge = models.isSandbox() ? undefined : judgeAmong(models.describe(), settings.judgeModel)
  return registry(ctx)
    .now()
    .models.filter(({ provider, source }) => provider.environmentAlias === null || source !== undefined)
    .map((model) =>
      viewOfModel(model, {
        models,
        spentNanos: spent.get(model.alias)?.month ?? 0,
        isJudge: model.alias === judge?.alias,
      }),
    )
}

export async function findModel(ctx: Context, id: number): Promise<ManagedModel> {
  const found = (await readModels(ctx)).find((model) => model.id === id)
  if (found === undefined) throw notFound()
  return found
}

export async function createModel(
  ctx: Context,
  fields: z.output<typeof createModelRequest>,
): Promise<ManagedModel> {
  const { alias, prices, monthlyLimitUsd, ...own } = fields
  if (RESERVED.test(alias)) {
    throw fieldError('alias', `${alias} looks like a chain’s name. Choose another alias.`)
  }
  const id = await transaction(ctx, async (ctx) => {
    const { db } = ctx
    await lockRegistry(db)
    await requireProvider(db, own.providerId)
    const before = await listModels(db)
    if (before.length >= MODELS_MAX) {
      throw new AppError('conflict', `There are ${MODELS_MAX} models. Remove one to add another.`)
    }
    if (before.some((model) => model.alias === alias)) {
      throw fieldError('alias', `There is already a model ${alias}. Choose another alias.`, 'conflict')
    }
    const last = Math.max(-1, ...before.map(({ position }) => position))
    const monthlyLimitNanos = usdToNanos(monthlyLimitUsd)
    const added = await insertModel(db, {
      ...own,
      alias,
      monthlyLimitNanos,
      position: own.position ?? last + 1,
    })
    if (prices !== null) await insertPrice(db, { modelId: added, ...prices })
    await recordActivity(ctx, { kind: 'model.added', object: 'model', id: added, after: switchesOf(fields) })
    return added
  })
  await registry(ctx).refresh()
  return findModel(ctx, id)
}

/** Absent fields stay. A price counts from now on: what earlier runs cost stays. */
export async function changeModel(
  ctx: Context,
  { fields, ...wanted }: Wanted & { fields: UpdateModelRequest },
): Promise<ManagedModel> {
  await writeModel(
    ctx,
    { ...wanted, kind: 'model.changed', after: switchesOf(fields) },
    async (db, model) => {
      const { id } = model
      const { prices, monthlyLimitUsd, ...given } = fields
      const target = given.providerId === undefined ? undefined : await requireProvider(db, given.providerId)
      const own = { ...given, ...settingsOfMove(ctx, { model, fields, target }) }
      const monthlyLimitNanos = monthlyLimitUsd === undefined ? undefined : usdToNanos(monthlyLimitUsd)
      await updateModel(db, { id, ...own, monthlyLimitNanos })
      if (prices !== undefined) await insertPrice(db, { modelId: id, ...(prices ?? NO_PRICE) })
    },
  )
  return findModel(ctx, wanted.id)
}

/** A model of the environment without a key there goes to a provider that has one, as the model that it is. Throws `invalid` otherwise. */
function settingsOfMove(
  { models }: Context,
  { model, fields, target }: { model: ModelRow; fields: UpdateModelRequest; target: ProviderRow | undefined },
): { modelId?: string; label?: string } {
  if (model.modelId !== null) return {}
  const usual = models.environment.find(({ alias }) => alias === model.alias)
  if (target?.environmentAlias === null && usual?.configured === false) {
    return {
      modelId: fields.modelId ?? usual.settings.modelId,
      label: fields.label ?? usual.label,
    }
  }
  const fixed = FIXED.find((name) => fields[name] !== undefined)
  if (fixed === undefined) return {}
  throw fieldError(fixed, 'This is set by the environment. Change it where Catenary runs.')
}

/** What it cost stays counted, and runs keep its name; one that came from the environment goes back there. Throws `conflict` for one that is there. */
export function deleteModel(ctx: Context, wanted: Wanted): Promise<void> {
  return writeModel(ctx, { ...wanted, kind: 'model.removed' }, async (db, { id, alias, modelId }) => {
    if (modelId === null) {
      throw new AppError('conflict', 'This model is set by the environment. Switch it off instead.')
    }
    const home = (await listProviders(db)).find(({ environmentAlias }) => environmentAlias === alias)
    if (home !== undefined) {
      await updateModel(db, { id, providerId: home.id, modelId: null, label: null })
      return
    }
    await removeFromLists(db, id)
    await deleteModelRow(db, id)
  })
}

export async function readUse(ctx: Context, id: number): Promise<ModelUse> {
  const { alias } = await findModel(ctx, id)
  const spent = (await modelSpending(ctx).list()).get(alias) ?? { month: 0, total: 0 }
  return {
    monthUsd: nanosToUsd(spent.month) ?? 0,
    totalUsd: nanosToUsd(spent.total) ?? 0,
    ...(await countUses(ctx.db, alias)),
  }
}

async function writeModel(
  ctx: Context,
  { id, kind, after }: Wanted & { kind: 'model.changed' | 'model.removed'; after?: ActivityFields },
  write: (db: Transaction, model: ModelRow) => Promise<void>,
): Promise<void> {
  await transaction(ctx, async (ctx) => {
    const { db } = ctx
    await lockRegistry(db)
    const model = (await listModels(db)).find((one) => one.id === id)
    if (model === undefined) throw notFound()
    await write(db, model)
    const before = switchesOf({ ...model, monthlyLimitUsd: nanosToUsd(model.monthlyLimitNanos) })
    await recordActivity(ctx, { kind, object: 'model', id, before, after })
  })
  await registry(ctx).refresh()
}

type Switches = Pick<ActivityFields, 'providerId' | 'isEnabled' | 'isForEveryone' | 'monthlyLimitUsd'>

const switchesOf = ({ providerId, isEnabled, isForEveryone, monthlyLimitUsd }: Switches): Switches => ({
  providerId,
  isEnabled,
  isForEveryone,
  monthlyLimitUsd,
})

async function requireProvider(db: Transaction, id: number): Promise<ProviderRow> {
  const found = (await listProviders(db)).find((row) => row.id === id)
  if (found === undefined) throw fieldError('providerId', 'This provider does not exist')
  return found
}

const notFound = () => new AppError('not_found', 'This model does not exist')

function viewOfModel(
  model: RegisteredModel,
  { models, spentNanos, isJudge }: { models: Models; spentNanos: number; isJudge: boolean },
): ManagedModel {
  const { id, alias, provider, source, position, isEnabled, isForEveryone, monthlyLimitNanos } = model
  const described = models.describe().find((one) => one.alias === alias)
  const price = source?.ownPrice ?? (models.isSandbox() ? null : models.priceOf(alias))
  return {
    id,
    alias,
    label: source?.label ?? model.label ?? alias,
    configured: source?.configured ?? false,
    keyVariable: source?.neededName ?? '',
    provider: described?.provider ?? PROVIDER_KINDS[provider.kind].provider,
    modelId: described?.modelId ?? source?.settings.modelId ?? model.modelId ?? '',
    isFromEnvironment: provider.environmentAlias !== null && model.modelId === null,
    providerId: provider.id,
    capabilities: source?.capabilities ?? NO_CAPABILITIES,
    ownCapabilities: model.capabilities,
    contextTokens: source?.contextTokens ?? model.contextTokens,
    price: price === null ? null : toRegisteredPrice(price),
    isOwnPrice: source !== undefined && source.ownPrice !== null,
    position,
    isEnabled,
    isForEveryone,
    monthlyLimitUsd: nanosToUsd(monthlyLimitNanos),
    spentUsd: nanosToUsd(spentNanos) ?? 0,
    isJudge,
  }
}

const NO_CAPABILITIES = eachCapability(() => false)

export function toRegisteredPrice(price: ModelPrice): RegisteredPrice {
  const { inputPerMillionUsd: input, outputPerMillionUsd: output, cachedInputPerMillionUsd: cached } = price
  return { input, output, cached: cached ?? null }
}
