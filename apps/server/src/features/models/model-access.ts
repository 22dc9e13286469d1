import { MODEL_ALIASES, type ModelStatus, type User } from '@catenary/contracts'
import { formatUsd } from '@catenary/domain'
import { retryWhileUnavailable } from '../../database/failures/retry-while-unavailable.ts'
import { AppError, fieldError } from '../../errors.ts'
import { type Context, onePerApp } from '../../platform/context.ts'
import { ModelError } from '../../platform/models/model-error.ts'
import type { ModelCall } from '../../platform/models/model-types.ts'
import type { Models } from '../../platform/models/models.ts'
import { modelSpending } from './model-spending.ts'
import { isAdminNow } from './models.sql.ts'
import { type RegisteredModel, registry } from './registry.ts'

interface NamedModels {
  model?: string | null | undefined
  fallbackModel?: string | null | undefined
  moreFallbackModels?: readonly string[] | null | undefined
}

/** Whether it is in the person's list: their own, else everyone's with what their groups add. Admins aside. */
function isListed(ctx: Context, { id, isForEveryone }: RegisteredModel, userId: number | undefined): boolean {
  if (userId === undefined) return isForEveryone
  const { ownLists, given } = registry(ctx).now()
  const own = ownLists.get(userId)
  if (own !== undefined) return own.has(id)
  return isForEveryone || given.toAll.has(id) || given.byPerson.get(userId)?.has(id) === true
}

function mayUse(ctx: Context, alias: string, user: User | null): boolean {
  const model = registry(ctx).now().byAlias.get(alias)
  return model === undefined || user?.role === 'admin' || isListed(ctx, model, user?.id)
}

/** Throws `invalid` at the field for an alias that no model has; one of the environment's has it also while it is not set up. */
export function requireKnownModel(ctx: Context, { alias, path }: { alias: string; path: string }): void {
  const aliases = ctx.models.describe().map((model) => model.alias)
  if ([...aliases, ...MODEL_ALIASES].includes(alias)) return
  if (registry(ctx).now().byAlias.has(alias)) throw fieldError(path, switchedOff(alias))
  throw fieldError(path, `There is no model ${alias}. Choose one of ${aliases.join(', ')}.`)
}

/** Throws `forbidden` for the first that the person may not use. One that is not there fails once it is asked. */
export function requireAllowedModels(
  ctx: Context,
  { user, aliases }: { user: User; aliases: Iterable<string> },
): void {
  for (const alias of aliases)
    if (!mayUse(ctx, alias, user)) {
      throw new AppError('forbidden', notAllowed(alias), { details: 'model_forbidden' })
    }
}

interface Chosen {
  fields: NamedModels
  user: User
  before?: NamedModels
}

/**
 * As `requireKnownModel` for what is newly chosen, and throws `forbidden` for what the person may not use. What was
 * there before stays, whoever chose it, even if it went away. Each may come once.
 */
export function requireChosenModels(ctx: Context, { fields, user, before = {} }: Chosen): void {
  const kept = aliasesIn(before).map(({ alias }) => alias)
  const anew = aliasesIn(fields).filter(({ alias }) => !kept.includes(alias))
  for (const named of anew) requireKnownModel(ctx, named)
  requireAllowedModels(ctx, { user, aliases: anew.map(({ alias }) => alias) })
  const { model = before.model, fallbackModel = before.fallbackModel } = fields
  const { moreFallbackModels = before.moreFallbackModels } = fields
  const chosen = aliasesIn({ model, fallbackModel, moreFallbackModels })
  if (JSON.stringify(chosen) !== JSON.stringify(aliasesIn(before))) requireOnce(chosen)
}

export const listModelsFor = (ctx: Context, user: User | null): ModelStatus[] =>
  ctx.models.describe().filter(({ alias }) => mayUse(ctx, alias, user))

/** Which of them chooses for Best Chain: the one of that alias or id or, where none is named, the first that is set up. */
export function judgeAmong<Model extends ModelStatus>(
  models: readonly Model[],
  named: string | undefined,
): Model | undefined {
  const configured = models.filter((model) => model.configured)
  if (named === undefined) return configured[0]
  return configured.find(({ alias, modelId }) => alias === named || modelId === named)
}

/** The models, within what admins allow: each call made only for whom its model is, within its month; what it cost is counted. */
export const allowedModels = onePerApp((ctx): Models => {
  const { models } = ctx
  const spending = modelSpending(ctx)
  const requireCall = (call: ModelCall): Promise<void> => {
    const check = () => requireCallable(ctx, call)
    return call.retriesWhileUnavailable ? retryWhileUnavailable(check, { closing: call.signal }) : check()
  }
  return {
    ...models,
    async *stream(call) {
      await requireCall(call)
      for await (const event of models.stream(call)) {
        if (event.type === 'done') spending.add(call.alias, event.costNanos)
        yield event
      }
    },
    async generate(call) {
      await requireCall(call)
      const result = await models.generate(call)
      spending.add(call.alias, result.costNanos)
      return result
    },
  }
})

/** Throws `ModelError` where a call must not be made: for whom it is, or because its model's month is spent. */
async function requireCallable(ctx: Context, { alias, userId }: ModelCall): Promise<void> {
  const model = registry(ctx).now().byAlias.get(alias)
  if (model === undefined) return
  if (!model.isEnabled) {
    throw new ModelError({ code: 'model_not_configured', alias, message: switchedOff(alias) })
  }
  if (userId !== undefined && !isListed(ctx, model, userId) && !(await isAdminNow(ctx.db, userId))) {
    throw new ModelError({ code: 'model_forbidden', alias, message: notAllowed(alias) })
  }
  const { monthlyLimitNanos: most } = model
  if (most !== null && (await modelSpending(ctx).ofMonth(alias)) >= most) {
    throw new ModelError({ code: 'budget_spent', alias, message: spent(alias, most) })
  }
}

const notAllowed = (alias: string) => `You can’t use the model ${alias}. An administrator can allow it.`
const switchedOff = (alias: string) =>
  `The model ${alias} is switched off. An administrator can switch it on.`
const spent = (alias: string, most: number) =>
  `The monthly limit of ${formatUsd(most)} for the model ${alias} is used up. The next month begins on the 1st at 00:00 UTC; ` +
  'an administrator can raise it sooner.'

/** Throws `invalid` at the field of a fallback that is asked before it already. */
function requireOnce(chosen: ReturnType<typeof aliasesIn>): void {
  chosen.forEach(({ path, alias }, index) => {
    const earlier = chosen.slice(0, index).find((other) => other.alias === alias)
    if (earlier === undefined) return
    const is = earlier.path === 'model' ? 'the model itself' : 'a fallback already'
    throw fieldError(path, `${alias} is ${is}. Choose another one.`)
  })
}

function aliasesIn({ model, fallbackModel, moreFallbackModels }: NamedModels) {
  return [
    { path: 'model', alias: model },
    { path: 'fallbackModel', alias: fallbackModel },
    ...(moreFallbackModels ?? []).map((alias) => ({ path: 'moreFallbackModels', alias })),
  ].flatMap(({ path, alias }) => (alias == null ? [] : [{ path, alias }]))
}
