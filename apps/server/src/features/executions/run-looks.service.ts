import type { Database } from '../../db/executor.ts'
import type { Log } from '../../platform/log/log.ts'
import type { ActiveRuns } from './active-runs.ts'
import { listRunMarks, prepareFindRunState, type RunStateRow } from './execution-reads.repository.ts'

/** How often it is looked whether watched runs have changed, whatever was told. */
const LOOK_MS = 1_000

interface Watched {
  watchers: number
  /** Another one after each change. */
  mark: string | undefined
  /** As it was read after the last change. */
  state: Promise<RunStateRow | undefined> | undefined
  unfollow: () => void
}

interface RunLooksDeps {
  db: Database
  active: ActiveRuns
  log: Log
}

/** The states of watched runs: read once a change for all their watchers, and looked after by one statement a second. */
export function createRunLooks({ db, active, log }: RunLooksDeps) {
  const findState = prepareFindRunState(db)
  const watched = new Map<number, Watched>()
  let isScheduled = false

  async function look(): Promise<void> {
    const marks = new Map((await listRunMarks(db, [...watched.keys()])).map(({ id, mark }) => [id, mark]))
    for (const [id, run] of watched) {
      const mark = marks.get(id)
      if (run.mark === mark) continue
      run.mark = mark
      active.notify(id, 'step')
    }
  }

  function schedule(): void {
    if (isScheduled || watched.size === 0) return
    isScheduled = true
    const lookAgain = async () => {
      if (watched.size > 0)
        await look().catch((error: unknown) =>
          log.warn({ err: error }, 'watched runs could not be looked at'),
        )
      isScheduled = false
      schedule()
    }
    setTimeout(lookAgain, LOOK_MS).unref()
  }

  function begin(id: number): Watched {
    const run: Watched = { watchers: 0, mark: '', state: undefined, unfollow: () => undefined }
    run.unfollow = active.follow(id, (change) => {
      if (change === 'step') run.state = undefined
    })
    watched.set(id, run)
    schedule()
    return run
  }

  return {
    /** Has a run looked after, and its changes told to its followers; the result ends it. */
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

    /** The state of a watched run; undefined for one that is gone. */
    state(id: number): Promise<RunStateRow | undefined> {
      const run = watched.get(id)
      if (run === undefined) return findState(id)
      run.state ??= findState(id)
      const { state } = run
      state.catch(() => {
        if (run.state === state) run.state = undefined
      })
      return state
    },
  }
}
