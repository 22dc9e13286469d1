import type { Database } from '../../../database/statements/executor.ts'
import { type Context, onePerApp } from '../../../platform/context.ts'
import { activeRuns } from '../engine/active-runs.ts'
import { findRunState } from '../history/read-run.ts'
import { listRunFingerprints, type RunStateRow } from '../history/runs.sql.ts'

/** How often watched runs are polled for missed signals. */
const POLL_MS = 1_000

interface Watched {
  watchers: number
  fingerprint: string | undefined
  state: Promise<RunStateRow | undefined> | undefined
  unfollow: () => void
}

/** The states of watched runs: read once a change for all their watchers, and polled by one statement a second. */
export const runStates = onePerApp(createRunStates)

function createRunStates(ctx: Context<Database>) {
  const { db, log } = ctx
  const active = activeRuns(ctx)
  const watched = new Map<number, Watched>()
  let isScheduled = false

  async function pollChanges(): Promise<void> {
    const rows = await listRunFingerprints(db, [...watched.keys()])
    const fingerprints = new Map(rows.map(({ id, fingerprint }) => [id, fingerprint]))
    for (const [id, run] of watched) {
      const fingerprint = fingerprints.get(id)
      if (run.fingerprint === fingerprint) continue
      run.fingerprint = fingerprint
      active.notify(id, 'step')
    }
  }

  function schedule(): void {
    if (isScheduled || watched.size === 0) return
    isScheduled = true
    const pollAgain = async () => {
      if (watched.size > 0)
        await pollChanges().catch((error: unknown) =>
          log.warn({ err: error }, 'watched runs could not be polled'),
        )
      isScheduled = false
      schedule()
    }
    setTimeout(pollAgain, POLL_MS).unref()
  }

  function begin(id: number): Watched {
    const run: Watched = { watchers: 0, fingerprint: '', state: undefined, unfollow: () => undefined }
    run.unfollow = active.follow(id, (change) => {
      if (change === 'step') run.state = undefined
    })
    watched.set(id, run)
    schedule()
    return run
  }

  return {
    watch(id: number): () => void {
      const run = watched.get(id) ?? begin(id)
      run.watchers += 1
      return () => {
        run.watchers -= 1
        if (run.watchers > 0) return
        run.unfollow()
        watched.delete(id)
      }
    },

    state(id: number): Promise<RunStateRow | undefined> {
      const run = watched.get(id)
      if (run === undefined) return findRunState(ctx, id)
      run.state ??= findRunState(ctx, id)
      const { state } = run
      state.catch(() => {
        if (run.state === state) run.state = undefined
      })
      return state
    },
  }
}
