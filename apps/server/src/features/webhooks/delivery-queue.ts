import { type Context, onePerApp } from '../../platform/context.ts'

export interface DeliveryTry {
  deliveryId: number
  /** How many went before by themselves: the try of a delivery that is further does nothing. */
  tryCount: number
  isByHand: boolean
}

interface NewTry extends DeliveryTry {
  runAt?: Date
  putOff?: number
}

export const deliveryQueue = onePerApp(({ jobs }) => jobs.queue<DeliveryTry & { putOff: number }>('webhooks'))

export function sendTry(ctx: Context, { runAt, putOff = 0, ...wanted }: NewTry): Promise<void> {
  const { deliveryId, tryCount, isByHand } = wanted
  const which = isByHand ? 'by-hand' : tryCount
  const job = { key: `${deliveryId}:${which}:${putOff}`, payload: { ...wanted, putOff } }
  return deliveryQueue(ctx).send(ctx.db, runAt === undefined ? job : { ...job, runAt })
}
