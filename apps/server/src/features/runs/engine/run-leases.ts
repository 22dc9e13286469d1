import { isOutage } from '../../../database/failures/database-failure.ts'
import { type Context, onePerApp } from '../../../platform/context.ts'
import { activeRuns } from './active-runs.ts'
import { runSignals } from './channels/run-signals.ts'
import { endAbandonedRuns, extendLeases, releaseAllRuns } from './leases.sql.ts'
import { stoppedByServer } from './run-ending.ts'

/** After an outage or its own start, a process spares expired leases for a while: their owners may extend them first. */
class OwnersFirst {
  readonly #waitMs: number
  #isBehind = false
  #until: number

  constructor({ waitMs }: { waitMs: number }) {
    this.#waitMs = waitMs
    this.#until = performance.now() + waitMs
  }

  /** The database could not be reached: other processes may take what goes on here. */
  get isBehind(): boolean {
    return this.#isBehind
  }

  get mayTakeOver(): boolean {
    return !this.#isBehind && performance.now() >= this.#until
  }

  fallBehind(): void {
    this.#isBehind = true
  }

  noteFailure(error: unknown): void {
    if (isOutage(error)) this.fallBehind()
  }

  catchUp(): void {
    if (!this.#isBehind) return
    this.#isBehind = false
    this.#until = performance.now() + this.#waitMs
  }
}

export const ownersFirst = onePerApp(
  (ctx) => new OwnersFirst({ waitMs: runSignals(ctx).alone ? 0 : ctx.takeoverWaitMs }),
)

const extending = onePerApp(() => ({ underWay: undefined as Promise<void> | undefined }))

/** Gives back what ran before this process, where no other process can have it; how many of these go on here. */
export async function recoverRuns(ctx: Context): Promise<number> {
  return runSignals(ctx).alone ? releaseAllRuns(ctx.db) : 0
}

/** Extends the leases of what goes on here; a second call meanwhile waits for the first. */
export function keepLeases({ app }: Context): Promise<void> {
  const one = extending(app)
  const first = ownersFirst(app)
  // With nothing to extend, this still tells whether the database is back.
  one.underWay ??= extendAll(app, { asks: first.isBehind })
    .then(
      () => first.catchUp(),
      (error: unknown) => {
        first.fallBehind()
        throw error
      },
    )
    .finally(() => {
      one.underWay = undefined
    })
  return one.underWay
}

async function extendAll(ctx: Context, { asks }: { asks: boolean }): Promise<void> {
  const held = activeRuns(ctx)
    .entries()
    .flatMap(([id, run]) => (run.isRecorded ? [{ id, attempt: run.attempt, run }] : []))
  const kept = held.length === 0 && !asks ? [] : await extendLeases(ctx.db, held)
  const keptById = new Map(kept.map((lease) => [lease.id, lease]))
  for (const { id, run } of held) {
    const lease = keptById.get(id)
    if (lease === undefined) run.stop('lost')
    else if (lease.cancelRequested) run.stop('person')
    else if (lease.runnerDisabled) run.stop('disabled')
  }
}

export async function catchUp(ctx: Context): Promise<void> {
  if (ownersFirst(ctx).isBehind) await keepLeases(ctx)
}

export async function endAbandoned(ctx: Context): Promise<void> {
  const { status, message: error, code: errorCode } = stoppedByServer
  await endAbandonedRuns(ctx.db, { status, error, errorCode })
}
