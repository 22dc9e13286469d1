import { type Context, onePerApp } from '../../../platform/context.ts'
import { activeRuns } from './active-runs.ts'
import { runSignals } from './channels/run-signals.ts'
import { requestCancel } from './leases.sql.ts'

const ending = onePerApp(() => new AbortController())

export const runsEnding = (ctx: Context): AbortSignal => ending(ctx).signal

/** One that has ended stays as it is. For a run that is deleted, the database itself sends the stop. */
export async function stopRun(ctx: Context, id: number): Promise<void> {
  await requestCancel(ctx.db, id)
  stopHere(ctx, id)
  await runSignals(ctx).send({ type: 'stop', id })
}

export async function stopRunsOf(ctx: Context, userId: number): Promise<void> {
  activeRuns(ctx).stopOf(userId, 'disabled')
  await runSignals(ctx).send({ type: 'disabled', userId })
}

export function hearStops(ctx: Context): void {
  runSignals(ctx).subscribe((signal) => {
    if (signal.type === 'stop') stopHere(ctx, signal.id)
    if (signal.type === 'disabled') activeRuns(ctx).stopOf(signal.userId, 'disabled')
  })
}

export function stopRunsHere(ctx: Context): void {
  ending(ctx).abort()
  for (const [, run] of activeRuns(ctx).entries()) run.stop('server')
}

function stopHere(ctx: Context, id: number): void {
  const active = activeRuns(ctx)
  active.get(id)?.stop('person')
  active.notify(id, 'step')
}
