import { AppError } from '../errors.ts'
import { WaitingPlace } from '../waiting-place.ts'
import type { Database } from './executor.ts'

/** A statement that takes longer is ended. */
export const STATEMENT_LIMIT_MS = 15_000
/** The database's own code of a statement that was ended. */
export const STATEMENT_ENDED = '57014'

const WAITING_MAX = 100
/** A wait gets longer only when the database does not answer. */
const WAIT_MAX_MS = 20_000
const RETRY_AFTER_S = 2
/** The share of a server's connections for long statements. */
const SHARE = 0.4

interface Turns {
  running: number
  waiting: Set<WaitingPlace>
}

const turnsOf = new WeakMap<Database['$client'], Turns>()

/**
 * Runs long statements, few at a time: the others wait here and not in the database, so that short statements run in
 * between. Throws `unavailable` when too many wait, or one waits too long.
 */
export async function inTurn<T>(db: Database, run: () => Promise<T>): Promise<T> {
  const pool = db.$client
  const turns = turnsOf.get(pool) ?? { running: 0, waiting: new Set() }
  turnsOf.set(pool, turns)
  if (turns.running >= Math.max(1, Math.floor(pool.options.max * SHARE))) {
    if (turns.waiting.size >= WAITING_MAX) throw tooManyAtOnce()
    const place = new WaitingPlace({
      ...{ limitMs: WAIT_MAX_MS, toRefusal: tooManyAtOnce },
      onGivenUp: () => turns.waiting.delete(place),
    })
    turns.waiting.add(place)
    // The one who wakes us hands over its turn, so `running` stays as it is.
    await place.turn
  } else {
    turns.running += 1
  }
  try {
    return await run()
  } finally {
    const [next] = turns.waiting
    if (next === undefined) turns.running -= 1
    else {
      turns.waiting.delete(next)
      next.start()
    }
  }
}

const tooManyAtOnce = () =>
  new AppError('unavailable', 'Too many searches at once. Try again shortly.', {
    retryAfter: RETRY_AFTER_S,
  })

const FIRST_SLICE = 20
const SLICE_MAX = 2_000
/** A slice that takes longer is followed by a smaller one, one that takes less by a larger. */
const SLICE_MS = 50

/** Repeats what takes a part of so many rows, each part in its turn, until nothing is left; gives how many it took. */
export async function inSlices(
  db: Database,
  take: (size: number) => Promise<number>,
  { signal }: { signal?: AbortSignal | undefined } = {},
): Promise<number> {
  let size = FIRST_SLICE
  let taken = 0
  for (;;) {
    signal?.throwIfAborted()
    const start = performance.now()
    const part = await inTurn(db, () => take(size))
    taken += part
    if (part < size) return taken
    const isQuick = performance.now() - start < SLICE_MS
    size = isQuick ? Math.min(size * 2, SLICE_MAX) : Math.max(1, Math.floor(size / 2))
  }
}
