import type { Log } from '../../platform/log/log.ts'
import { type ChainWorkers, pollWaiting } from './chain-runs/chain-workers.service.ts'
import type { Engine } from './engine/engine.service.ts'

const TICK_MS = 10_000

interface LeaseClockDeps {
  engine: Engine
  chainWorkers: ChainWorkers
  log: Log
}

/** Extends the leases of what goes on here; ends or claims what dead processes left behind. */
export function createLeaseClock({ engine, chainWorkers, log }: LeaseClockDeps) {
  const timer = setInterval(poll, TICK_MS).unref()

  async function keepRuns(): Promise<void> {
    await engine.catchUp()
    await engine.keepLeases()
    if (engine.ownersFirst.mayTakeOver) await engine.endAbandonedRuns()
    pollWaiting(chainWorkers)
  }

  function poll(): void {
    keepRuns().catch((error: unknown) => {
      engine.ownersFirst.noteFailure(error)
      log.warn({ err: error }, 'leases could not be kept')
    })
  }

  return {
    /** When notifications are heard again: the database may have been away. */
    onReconnect(): void {
      engine.ownersFirst.fallBehind()
      poll()
    },

    /** At the start; from then on the clock does it. */
    async recover(): Promise<void> {
      const count = await engine.recover()
      chainWorkers.runner.observe?.chainRunsTakenOver(count)
      await keepRuns()
    },

    stop: () => clearInterval(timer),
  }
}
