import { type Context, onePerApp } from '../../../platform/context.ts'
import { runSignals } from './channels/run-signals.ts'

const listeners = onePerApp(() => new Set<() => void>())

/** Calls back wherever a run may be had: told by this process or another. */
export function onWaiting(ctx: Context, listen: () => void): void {
  listeners(ctx).add(listen)
  runSignals(ctx).subscribe((signal) => {
    if (signal.type === 'waiting') listen()
  })
}

/** A run waits for a worker, here or elsewhere. */
export async function notifyWaiting(ctx: Context): Promise<void> {
  for (const listen of listeners(ctx)) listen()
  await runSignals(ctx).send({ type: 'waiting' })
}
