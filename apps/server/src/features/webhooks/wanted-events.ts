import type { WebhookEventType } from '@catenary/contracts'
import type { Database } from '../../database/statements/executor.ts'
import { type Context, onePerApp } from '../../platform/context.ts'
import { listWanted } from './webhooks.sql.ts'

/** A notification may be lost with its connection, and a reading fail. */
const REFRESH_MS = 30_000

/** Who has a webhook for what, in memory: whoever has none costs their runs nothing. */
export const wantedEvents = onePerApp(createWantedEvents)

function createWantedEvents({ db, rowChanges, log }: Context<Database>) {
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

  let timer: NodeJS.Timeout | undefined

  return {
    wants: (userId: number, type: WebhookEventType): boolean => byPerson.get(userId)?.has(type) === true,
    refresh,
    /** Reads all for the first time, and follows changes from then on. */
    async begin(): Promise<void> {
      await refresh()
      rowChanges.subscribe((change) => {
        if (change === null || change.table === 'webhooks') follow()
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
