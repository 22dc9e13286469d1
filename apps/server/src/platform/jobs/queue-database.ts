import { sql } from 'drizzle-orm'
import { type Db, fromDrizzle } from 'pg-boss'
import type { DatabaseClient } from '../../db/client.ts'
import type { Executor } from '../../db/executor.ts'

/** What the queue needs of the database. */
export type QueueDatabase = Pick<DatabaseClient, 'pool' | 'listen'>

/** The program's pool as the queue's own. */
export function createQueueDatabase({ pool, listen }: QueueDatabase): Db {
  return {
    executeSql: async (text, values) => {
      const client = await pool.connect()
      try {
        const result = await client.query(text, values)
        client.release()
        return result
      } catch (error) {
        // A failed block of several statements leaves its transaction open.
        const rolledBack = await client.query('rollback').then(
          () => true,
          () => false,
        )
        client.release(!rolledBack)
        throw error
      }
    },
    listen: async (channel, onNotify, onReconnect) => {
      const unlisten = await listen({ channel, onNotify, onReconnect })
      onReconnect()
      return { close: unlisten }
    },
  }
}

/** The caller's transaction as the queue sees it. */
export function inTransaction(executor: Executor): Db {
  return fromDrizzle(executor, sql)
}
