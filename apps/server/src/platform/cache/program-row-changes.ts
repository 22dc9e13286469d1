import type { RowChanges } from './read-through-cache.ts'

/** The changes that a database tells, which may outlive the program. */
export interface DatabaseRowChanges extends RowChanges {
  subscribe(...subscription: Parameters<RowChanges['subscribe']>): () => void
  listen(): Promise<void>
}

/** The same changes until `close`: then nothing of the program is called back, or kept in memory. */
export function programRowChanges(database: DatabaseRowChanges) {
  const subscriptions: (() => void)[] = []
  return {
    get isListening() {
      return database.isListening
    },
    listen: () => database.listen(),
    subscribe: (...subscription: Parameters<RowChanges['subscribe']>): void => {
      subscriptions.push(database.subscribe(...subscription))
    },
    close: (): void => {
      for (const end of subscriptions.splice(0)) end()
    },
  }
}
