import type { WebhookEventType } from '@catenary/contracts'
import type { Database } from '../../database/statements/executor.ts'
import { createTableReader } from '../../platform/cache/table-reader.ts'
import { type Context, onePerApp } from '../../platform/context.ts'
import { listWanted } from './webhooks.sql.ts'

/** Who has a webhook for what, in memory: whoever has none costs their runs nothing. */
export const wantedEvents = onePerApp(createWantedEvents)

function createWantedEvents({ db, rowChanges, log }: Context<Database>) {
  let byPerson: ReadonlyMap<number, ReadonlySet<WebhookEventType>> = new Map()

  async function read(): Promise<void> {
    const wanted = new Map<number, Set<WebhookEventType>>()
    for (const { userId, events } of await listWanted(db)) {
      wanted.set(userId, new Set([...(wanted.get(userId) ?? []), ...events]))
    }
    byPerson = wanted
  }

  return {
    ...createTableReader({ table: 'webhooks', rowChanges, log, read }),
    wants: (userId: number, type: WebhookEventType): boolean => byPerson.get(userId)?.has(type) === true,
  }
}
