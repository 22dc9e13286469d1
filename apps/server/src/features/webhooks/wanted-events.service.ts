import type { WebhookEventType } from '@catenary/contracts'
import type { Database } from '../../db/executor.ts'
import type { RowChanges } from '../../platform/cache/read-through-cache.ts'
import type { Log } from '../../platform/log/log.ts'
import { listWanted } from './webhooks.repository.ts'

/** A notification may be lost with its connection, and a reading fail. */
const REFRESH_MS = 30_000

export type WantedEvents = Awaited<ReturnType<typeof createWantedEvents>>

interface Deps {
  db: Database
  rowChanges: RowChanges
  log: Log
}

/** Who has a webhook for what, in memory: whoever has none costs their runs nothing. */
export async function createWantedEvents({ db, rowChanges, log }: Deps) {
  let byPerson: ReadonlyMap<number, ReadonlySet<WebhookEventType>> = new Map()
  let reading: Promise<void> | undefined
  let isStale = false

  async function read(): Promise<void> {
    const wanted = new Map<number, Set<WebhookEventType>>()
    for (const { userId, events } of await listWanted(db)) {
      wanted.set(userId, new Set([...(wanted.get(userId) ?? []), ...events]))
    }
    byPerson = wanted
  }

  /** What was written before the call is known once it resolves. */
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
    void refresh().catch((error: unknown) => log.warn({ err: error }, 'the webhooks could not be read anew'))

  await refresh()
  rowChanges.subscribe((change) => {
    if (change === null || change.table === 'webhooks') follow()
  })
  let timer: NodeJS.Timeout | undefined

  return {
    wants: (userId: number, type: WebhookEventType): boolean => byPerson.get(userId)?.has(type) === true,
    refresh,
    start(): void {
      timer = setInterval(follow, REFRESH_MS).unref()
    },
    async close(): Promise<void> {
      clearInterval(timer)
      await reading?.catch(() => undefined)
    },
  }
}
