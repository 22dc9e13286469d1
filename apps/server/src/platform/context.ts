import type { Database, Executor } from '../db/executor.ts'
import type { Platform } from './platform.ts'

/** What an operation works with, its first argument: the platform, and where its SQL runs. */
export interface Context<Db extends Executor = Executor> extends Omit<Platform, 'db'> {
  /** The database, or the transaction that is open. */
  db: Db
  /** The context outside of every transaction. */
  app: Context<Database>
}

export function createContext(platform: Platform): Context<Database> {
  const app: Context<Database> = {
    ...platform,
    get app() {
      return app
    },
  }
  return app
}
