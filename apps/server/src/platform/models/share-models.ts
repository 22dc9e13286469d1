import { FairSemaphore } from '../limits/fair-semaphore.ts'
import type { ModelCall } from './model-types.ts'
import type { Models } from './models.ts'
import { stoppedCall } from './run-call.ts'

/** The same models, with so many calls at once, which people share fairly. */
export function shareModels(models: Models, { modelCallsAtOnce }: { modelCallsAtOnce: number }): Models {
  const semaphore = new FairSemaphore(modelCallsAtOnce)
  const acquire = async ({ userId, signal, alias }: ModelCall): Promise<() => void> => {
    const release = await semaphore.acquire(userId, signal)
    if (release === undefined) throw stoppedCall(alias)
    return release
  }
  return {
    ...models,
    async *stream(call) {
      const leave = await acquire(call)
      try {
        yield* models.stream(call)
      } finally {
        leave()
      }
    },
    async generate(call) {
      const leave = await acquire(call)
      try {
        return await models.generate(call)
      } finally {
        leave()
      }
    },
  }
}
