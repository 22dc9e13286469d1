import { type Context, onePerApp } from '../../platform/context.ts'
import { onDisabled } from '../accounts/accounts.ts'
import { workAsks } from './asks/expire-asks.ts'
import { drainWorkers, hearWaiting, pollWaiting, runsChains } from './chain-runs/chain-workers.ts'
import { activeRuns } from './engine/active-runs.ts'
import { runSignals } from './engine/channels/run-signals.ts'
import { textWays } from './engine/channels/text-ways.ts'
import { remoteRuns } from './engine/remote-runs.ts'
import { catchUp, endAbandoned, keepLeases, ownersFirst, recoverRuns } from './engine/run-leases.ts'
import { hearStops, stopRunsHere, stopRunsOf } from './engine/stop-runs.ts'
import { drainPromptRuns } from './prompt-runs/run-prompt.ts'

const TICK_MS = 10_000

const leaseClock = onePerApp((ctx) => setInterval(() => poll(ctx), TICK_MS).unref())

/** Takes over what earlier processes left, and keeps this process's leases from now on. Called once, before the start. */
export async function openRuns(ctx: Context): Promise<void> {
  const { bus, metrics } = ctx
  hearStops(ctx)
  hearWaiting(ctx)
  workAsks(ctx)
  if (bus !== undefined) {
    metrics?.watch({
      gauges: { bus_up: 'Whether the bus at BUS_URL carries the text of runs for this process: 1 or 0.' },
      read: async () => ({ bus_up: bus.isUp ? 1 : 0 }),
    })
  }
  onDisabled(ctx, (userId) => stopRunsOf(ctx, userId))
  // When notifications are heard again: the database may have been away.
  runSignals(ctx).onReconnect(() => {
    ownersFirst(ctx).fallBehind()
    poll(ctx)
  })
  leaseClock(ctx)
  const recovered = await recoverRuns(ctx)
  metrics?.chainRunsTakenOver(recovered)
  await keepRuns(ctx)
}

export async function startRuns(ctx: Context): Promise<void> {
  await remoteRuns(ctx).start()
  await runSignals(ctx).start()
}

export const countRunsHere = (ctx: Context): number => activeRuns(ctx).count

export async function endRuns(ctx: Context): Promise<void> {
  clearInterval(leaseClock(ctx))
  stopRunsHere(ctx)
  await Promise.all([drainPromptRuns(ctx), drainWorkers(ctx)])
  if (runsChains(ctx)) await runSignals(ctx).send({ type: 'waiting' })
}

export async function closeRuns(ctx: Context): Promise<void> {
  await runSignals(ctx).close()
  await textWays(ctx).close()
}

function poll(ctx: Context): void {
  keepRuns(ctx).catch((error: unknown) => {
    ownersFirst(ctx).noteFailure(error)
    ctx.log.warn({ err: error }, 'leases could not be kept')
  })
}

async function keepRuns(ctx: Context): Promise<void> {
  await catchUp(ctx)
  await keepLeases(ctx)
  if (ownersFirst(ctx).mayTakeOver) await endAbandoned(ctx)
  pollWaiting(ctx)
}
