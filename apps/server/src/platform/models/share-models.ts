import { FairSemaphore } from '../../limits/fair-semaphore.ts'
import { stoppedCall } from './model-error.ts'
import type { ModelCall } from './model-types.ts'
import type { Models } from './models.ts'

export function shareModels(
  models: Models,
  { modelCallsAtOnce }: { modelCallsAtOnce: () => number },
): Models {
  const semaphore = new FairSemaphore(modelCallsAtOnce)
  const acquire = async ({ userId, signal, alias }: ModelCall): Promise<() => void> => {
    const release = await semaphore.acquire(userId, signal)
    if (release === undefined) throw stoppedCall(alias)
    return release
  }
  const takePlace = async (call: ModelCall) => {
    let leave: (() => void) | undefined = await acquire(call)
    const giveBack = () => {
      leave?.()
      leave = undefined
    }
    const waitAside = async (wait: () => Promise<void>) => {
      giveBack()
      await wait()
      // If it was stopped meanwhile, this throws.
      leave = await acquire(call)
    }
    return { giveBack, waitAside }
  }
  return {
    ...models,
    async *stream(call) {
      const { giveBack, waitAside } = await takePlace(call)
      try {
        yield* models.stream({ ...call, waitAside })
      } finally {
        giveBack()
      }
    },
    async generate(call) {
      const { giveBack, waitAside } = await takePlace(call)
      try {
        return await models.generate({ ...call, waitAside })
      } finally {
        giveBack()
      }
    },
  }
}
