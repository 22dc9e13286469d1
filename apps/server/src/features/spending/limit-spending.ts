import { retryWhileUnavailable } from '../../database/failures/retry-while-unavailable.ts'
import { type Context, onePerApp } from '../../platform/context.ts'
import { ModelError } from '../../platform/models/model-error.ts'
import type { ModelCall, ModelResult } from '../../platform/models/model-types.ts'
import type { Models } from '../../platform/models/models.ts'
import { shareModels } from '../../platform/models/share-models.ts'
import { allowedModels } from '../models/models.ts'
import { addAnswer, findBudgetRefusal } from './read-budgets.ts'

/** The models that keep to what may be spent in a month: each call asks once it has its turn. */
export const limitedModels = onePerApp((ctx) => {
  const { processes, settings } = ctx
  const modelCallsAtOnce = () => processes.share(settings.modelCallsAtOnce).most
  return shareModels(limitSpending(ctx, allowedModels(ctx)), { modelCallsAtOnce })
})

/** The same models, called only for people with budget left; every call of every step is checked. */
function limitSpending(ctx: Context, models: Models): Models {
  const { unpricedModels } = ctx.settings

  async function requireMoney({ alias, userId, ...call }: ModelCall): Promise<void> {
    const modelId = unpricedModels === 'refused' ? findUnpriced(models, alias) : undefined
    if (modelId !== undefined) {
      throw new ModelError({
        code: 'model_unpriced',
        alias,
        message: `${modelId} has no price, and models without a price are refused here. An administrator can set MODEL_PRICES.`,
      })
    }
    if (userId === undefined) return
    const find = () => findBudgetRefusal(ctx, userId)
    const message = call.retriesWhileUnavailable
      ? await retryWhileUnavailable(find, { closing: call.signal })
      : await find()
    if (message !== undefined) throw new ModelError({ code: 'budget_spent', alias, message })
  }

  function count({ userId }: ModelCall, { costNanos }: Pick<ModelResult, 'costNanos'>): void {
    if (userId !== undefined && costNanos !== null) addAnswer(ctx, { userId, nanos: costNanos })
  }

  /** What a failed call used is spent too. */
  function countFailed(call: ModelCall, error: unknown): void {
    if (error instanceof ModelError && error.used !== undefined) count(call, error.used)
  }

  return {
    ...models,
    async *stream(call) {
      await requireMoney(call)
      try {
        for await (const event of models.stream(call)) {
          if (event.type === 'done') count(call, event)
          yield event
        }
      } catch (error) {
        countFailed(call, error)
        throw error
      }
    },
    async generate(call) {
      await requireMoney(call)
      try {
        const result = await models.generate(call)
        count(call, result)
        return result
      } catch (error) {
        countFailed(call, error)
        throw error
      }
    },
  }
}

/** The id of the model, where it would be asked and nobody knows what it charges. */
function findUnpriced(models: Models, alias: string): string | undefined {
  if (models.isSandbox() || models.priceOf(alias) !== null) return undefined
  return models.describe().find((model) => model.alias === alias && model.configured)?.modelId
}
