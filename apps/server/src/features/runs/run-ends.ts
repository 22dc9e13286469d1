import type { Context } from '../../platform/context.ts'
import { notifyOfAll, type StartingRun } from './engine/new-runs.ts'

const EVENTS_AT_ONCE = 4

export interface RunEnded {
  /** The same in each delivery of one end; a run that is resumed ends again, under another key. */
  key: string
  executionId: number
  /** `deleted` before it ended. What had ended may be gone too by the time of the delivery. */
  status: 'completed' | 'failed' | 'cancelled' | 'deleted'
  reference: string
}

interface RunEndSubscription {
  /** As runs name it at their start; renaming it loses the ends of runs in progress. */
  subscriber: string
  ofAll?: (run: StartingRun) => boolean
  /** Called at least once for each end; again, later and later, after it threw. The signal aborts as the process stops. */
  handle: (ended: RunEnded, signal: AbortSignal) => Promise<void>
}

/** Called once for each subscriber, before the start. The database sends the ends of runs in the transaction that ends the run. */
export function onRunEnded(ctx: Context, { subscriber, ofAll, handle }: RunEndSubscription): void {
  if (ofAll !== undefined) notifyOfAll(ctx, subscriber, ofAll)
  ctx.jobs.queue<Omit<RunEnded, 'key'>>(`run-ended:${subscriber}`).work({
    concurrency: EVENTS_AT_ONCE,
    handle: ({ key, payload, signal }) => handle({ key, ...payload }, signal),
  })
}
