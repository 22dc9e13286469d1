import type { Log } from '../log/log.ts'
import type { RowChanges } from './read-through-cache.ts'

/** A notification may be lost with its connection, and a reading fail. */
const REFRESH_MS = 30_000

interface TableReaderOptions {
  table: string
  rowChanges: RowChanges
  log: Log
  read: () => Promise<void>
}

/** Keeps what a process holds of a whole table as new as the table: it is read anew after each change, one reading at a time. */
export function createTableReader({ table, rowChanges, log, read }: TableReaderOptions) {
  let reading: Promise<void> | undefined
  let isStale = false
  let timer: NodeJS.Timeout | undefined

  /** What was written before the call is read once it resolves. */
  function refresh(): Promise<void> {
    isStale = true
    reading ??= (async () => {
      try {
        while (isStale) {
          isStale = false
          await read()
        }
      } finally {
        reading = undefined
      }
    })()
    return reading
  }

  const follow = () =>
    void refresh().catch((error: unknown) => log.warn({ err: error }, `the ${table} could not be read anew`))

  return {
    refresh,
    /** Reads for the first time, and follows changes from then on. */
    async begin(): Promise<void> {
      await refresh()
      rowChanges.subscribe((change) => {
        if (change === null || change.table === table) follow()
      })
    },
    start(): void {
      timer = setInterval(follow, REFRESH_MS).unref()
    },
    async close(): Promise<void> {
      clearInterval(timer)
      await reading?.catch(() => undefined)
    },
  }
}
