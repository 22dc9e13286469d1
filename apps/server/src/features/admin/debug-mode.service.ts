import type { User } from '@catenary/contracts'
import type { Database } from '../../db/executor.ts'
import type { Log } from '../../platform/log/log.ts'
import { readDebugMode, setDebugMode } from './admin.repository.ts'

/** The other processes follow a change within this time. */
const FOLLOW_MS = 30_000

export type DebugModeService = ReturnType<typeof createDebugModeService>

/** Debug mode: while it is on, every process logs at `debug`, or finer where its LOG_LEVEL says so. */
export function createDebugModeService({ db, log }: { db: Database; log: Log }) {
  const usualLevel = log.level
  const debugLevel = usualLevel === 'trace' ? 'trace' : 'debug'
  let timer: NodeJS.Timeout | undefined

  function apply(enabled: boolean): void {
    const level = enabled ? debugLevel : usualLevel
    if (level === log.level) return
    log.level = level
    log.info({ enabled }, 'debug mode')
  }

  return {
    read: (): Promise<boolean> => readDebugMode(db),

    /** Stores it for all processes; this one follows at once. */
    async set({ enabled, user }: { enabled: boolean; user: User }): Promise<boolean> {
      await db.transaction((transaction) => setDebugMode(transaction, { enabled, actorId: user.id }))
      apply(enabled)
      return enabled
    },

    /** Applies what is stored, now and from time to time. */
    async follow(): Promise<void> {
      apply(await readDebugMode(db))
      timer = setInterval(() => {
        readDebugMode(db).then(apply, (error: unknown) =>
          log.warn({ err: error }, 'debug mode could not be read'),
        )
      }, FOLLOW_MS).unref()
    },

    close(): void {
      clearInterval(timer)
    },
  }
}
