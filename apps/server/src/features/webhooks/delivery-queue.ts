import type { Executor } from '../../db/executor.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'

/** Per process. */
const POSTS_AT_ONCE = 32

/** One try of a delivery. */
export interface DeliveryTry {
  deliveryId: number
  /** How many went before by themselves: the try of a delivery that is further does nothing. */
  tryCount: number
  isByHand: boolean
}

export type DeliveryQueue = ReturnType<typeof createDeliveryQueue>

interface NewTry extends DeliveryTry {
  runAt?: Date
  /** It is put off for so often. */
  putOff?: number
}

/** Tries that are due, now or later. */
export function createDeliveryQueue({ jobs }: { jobs: Jobs }) {
  const queue = jobs.queue<DeliveryTry & { putOff: number }>('webhooks')
  return {
    send: (executor: Executor, { runAt, putOff = 0, ...wanted }: NewTry) => {
      const { deliveryId, tryCount, isByHand } = wanted
      const which = isByHand ? 'by-hand' : tryCount
      const job = { key: `${deliveryId}:${which}:${putOff}`, payload: { ...wanted, putOff } }
      return queue.send(executor, runAt === undefined ? job : { ...job, runAt })
    },

    work(handle: (wanted: DeliveryTry & { putOff: number }, signal: AbortSignal) => Promise<void>): void {
      queue.work({
        concurrency: POSTS_AT_ONCE,
        handle: ({ payload, signal }) => handle(payload, signal),
      })
    },
  }
}
