import type { ModelCall } from '../../platform/models/model-types.ts'
import type { Models } from '../../platform/models/models.ts'
import { retryWhileUnavailable } from '../../retry-while-unavailable.ts'
import type { ModelAccess } from './model-access.service.ts'
import type { ModelSpending } from './model-spending.service.ts'

interface Limits {
  access: Pick<ModelAccess, 'requireCallable'>
  spending: Pick<ModelSpending, 'add'>
}

/** The same models, each call made only for whom its model is, within its month; what it cost is counted. */
export function limitModels(models: Models, { access, spending }: Limits): Models {
  const requireCallable = (call: ModelCall): Promise<void> => {
    const check = () => access.requireCallable(call)
    return call.retriesWhileUnavailable ? retryWhileUnavailable(check, { closing: call.signal }) : check()
  }
  return {
    ...models,
    async *stream(call) {
      await requireCallable(call)
      for await (const event of models.stream(call)) {
        if (event.type === 'done') spending.add(call.alias, event.costNanos)
        yield event
      }
    },
    async generate(call) {
      await requireCallable(call)
      const result = await models.generate(call)
      spending.add(call.alias, result.costNanos)
      return result
    },
  }
}
