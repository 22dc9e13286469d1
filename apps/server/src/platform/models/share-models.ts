import { FairSlots } from './fair-slots.ts'
import type { ModelCall } from './model-types.ts'
import type { Models } from './models.ts'
import { stoppedCall } from './run-call.ts'

/** The same models, with so many calls at once, which people share fairly. */
export function shareModels(models: Models, { modelCallsAtOnce }: { modelCallsAtOnce: number }): Models {
  const slots = new FairSlots(modelCallsAtOnce)
  const takeSlot = async ({ userId, signal, alias }: ModelCall): Promise<() => void> => {
    const leave = await slots.take(userId, signal)
    if (leave === undefined) throw stoppedCall(alias)
    return leave
  }
  return {
    ...models,
    async *stream(call) {
      const leave = await takeSlot(call)
      try {
        yield* models.stream(call)
      } finally {
        leave()
      }
    },
    async generate(call) {
      const leave = await takeSlot(call)
      try {
        return await models.generate(call)
      } finally {
        leave()
      }
    },
  }
}
