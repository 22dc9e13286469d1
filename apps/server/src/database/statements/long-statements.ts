import { AppError } from '../../errors.ts'
import { FairSemaphore } from '../../limits/fair-semaphore.ts'
import type { Database } from './executor.ts'

export const STATEMENT_LIMIT_MS = 15_000
export const STATEMENT_ENDED = '57014'

const WAITING_MAX = 100
/** A wait gets longer only when the database does not answer. */
const WAIT_MAX_MS = 20_000
const RETRY_AFTER_S = 2
const SHARE = 0.4

const semaphores = new WeakMap<Database['$client'], FairSemaphore>()

/**
 * Runs long statements, few at a time: the others wait here and not in the database, so that short statements run in
 * between. Throws `unavailable` when too many wait, or one waits too long.
 */
export function runLongStatement<T>(db: Database, run: () => Promise<T>): Promise<T> {
  const pool = db.$client
  const semaphore = semaphores.get(pool) ?? createSemaphore(pool.options.max)
  semaphores.set(pool, semaphore)
  return semaphore.run(undefined, run)
}

function createSemaphore(connections: number): FairSemaphore {
  const size = Math.max(1, Math.floor(connections * SHARE))
  const queue = { most: WAITING_MAX, limitMs: WAIT_MAX_MS, toRefusal: tooManyAtOnce }
  return new FairSemaphore(size, { most: size, queue })
}

const tooManyAtOnce = () =>
  new AppError('unavailable', 'Too many searches at once. Try again shortly.', {
    retryAfter: RETRY_AFTER_S,
  })

const FIRST_BATCH = 20
const BATCH_MAX = 2_000
/** A slice that takes longer is followed by a smaller one, one that takes less by a larger. */
const BATCH_MS = 50

export async function inBatches(
  db: Database,
  take: (size: number) => Promise<number>,
  { signal }: { signal?: AbortSignal | undefined } = {},
): Promise<number> {
  let size = FIRST_BATCH
  let taken = 0
  for (;;) {
    signal?.throwIfAborted()
    const start = performance.now()
    const part = await runLongStatement(db, () => take(size))
    taken += part
    if (part < size) return taken
    const isQuick = performance.now() - start < BATCH_MS
    size = isQuick ? Math.min(size * 2, BATCH_MAX) : Math.max(1, Math.floor(size / 2))
  }
}
