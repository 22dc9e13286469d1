import { AppError } from '../errors.ts'
import type { Database } from './executor.ts'

/** A statement that takes longer is ended. */
export const STATEMENT_LIMIT_MS = 15_000
/** The database's own code of a statement that was ended. */
export const STATEMENT_ENDED = '57014'

const WAITING_MAX = 100
const RETRY_AFTER_S = 2
/** Of a server's connections, how many long statements may have. */
const SHARE = 0.4

interface Turns {
  running: number
  waiting: (() => void)[]
}

const turnsOf = new WeakMap<Database['$client'], Turns>()

/**
 * Runs what may take long, few at a time: the others wait here and not before the database, so that short statements
 * come between. Throws `unavailable` when too many wait.
 */
export async function inTurn<T>(db: Database, run: () => Promise<T>): Promise<T> {
  const pool = db.$client
  const turns = turnsOf.get(pool) ?? { running: 0, waiting: [] }
  turnsOf.set(pool, turns)
  if (turns.running >= Math.max(1, Math.floor(pool.options.max * SHARE))) {
    if (turns.waiting.length >= WAITING_MAX) {
      throw new AppError('unavailable', 'Too much is looked for at the same moment. Try again shortly.', {
        retryAfter: RETRY_AFTER_S,
      })
    }
    // The one who wakes us hands over its turn, so `running` stays as it is.
    await new Promise<void>((resolve) => turns.waiting.push(resolve))
  } else {
    turns.running += 1
  }
  try {
    return await run()
  } finally {
    const next = turns.waiting.shift()
    if (next === undefined) turns.running -= 1
    else next()
  }
}

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
