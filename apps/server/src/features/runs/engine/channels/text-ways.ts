import type { Database } from '../../../../database/statements/executor.ts'
import { type Context, onePerApp } from '../../../../platform/context.ts'
import { sendNotification } from './run-signals.sql.ts'
import { runSignals } from './run-signals.ts'

/** A notification holds less than 8,000 bytes, of which the envelope takes some. */
const NOTE_BYTES = 7_800
/** What is being sent waits in memory. */
const BUS_BYTES = 256_000
const SENDERS_KEPT = 1_000
/** A notification costs the database, a message on the bus next to nothing. */
const EVERY_MS = { bus: 50, database: 100 }

export interface Address {
  name: string
  bus: string | undefined
}

/**
 * How the text of runs gets to one other process: by the bus where both are on it, else as notifications on a channel
 * of that process alone. Messages of one process to another have numbers: one that another overtook, and one that
 * went both ways, counts once.
 */
export const textWays = onePerApp(createTextWays)

function createTextWays(ctx: Context<Database>) {
  const { db, database, log, bus, metrics } = ctx
  const { self } = runSignals(ctx)
  const heard = new Map<string, number>()
  let sent = 0
  let unlisten: (() => Promise<void>) | undefined

  const wrap = (changes: string[]) => {
    sent += 1
    return `{"sender":"${self}","number":${sent},"changes":[${changes.join(',')}]}`
  }

  async function sendByBus(to: string | undefined, changes: string[]): Promise<boolean> {
    if (bus === undefined || to === undefined || !bus.isUp) return false
    const isCarried = await bus.send(to, wrap(changes))
    if (isCarried) metrics?.runMessageSent({ way: 'bus', what: 'text' })
    return isCarried
  }

  async function sendByDatabase(to: string, changes: string[]): Promise<void> {
    for (const some of packs(changes, NOTE_BYTES)) {
      metrics?.runMessageSent({ way: 'database', what: 'text' })
      await sendNotification(db, { channel: channelOf(to), payload: wrap(some) })
    }
  }

  function onMessage(payload: string, receive: (changes: unknown[]) => void): void {
    try {
      const message = read(payload)
      if (isNew(message)) receive(message.changes)
    } catch (error) {
      log.warn({ err: error }, 'what another process told of a run can’t be read')
    }
  }

  function isNew({ sender, number }: Message): boolean {
    if (number <= (heard.get(sender) ?? 0)) return false
    heard.delete(sender)
    heard.set(sender, number)
    const [longestAgo] = heard.keys()
    if (heard.size > SENDERS_KEPT && longestAgo !== undefined) heard.delete(longestAgo)
    return true
  }

  return {
    get bus(): string | undefined {
      return bus?.isUp ? bus.self : undefined
    },

    everyMs: (to: Address): number => (bus?.isUp && to.bus !== undefined ? EVERY_MS.bus : EVERY_MS.database),

    onBusChange: (handle: () => void): void => bus?.onChange(handle),

    /** Sends changes, each of them JSON, in order; what is lost is asked for again by whoever misses it. */
    async send(to: Address, changes: string[]): Promise<void> {
      try {
        for (const some of packs(changes, BUS_BYTES))
          if (!(await sendByBus(to.bus, some))) await sendByDatabase(to.name, some)
      } catch (error) {
        log.warn({ err: error }, 'the text of a run could not be sent to another process')
      }
    },

    async start(receive: (changes: unknown[]) => void): Promise<void> {
      const onNotify = (payload: string) => onMessage(payload, receive)
      bus?.onMessage(onNotify)
      unlisten = await database.listen({ channel: channelOf(self), onNotify })
    },

    async close(): Promise<void> {
      await unlisten?.()
    },
  }
}

const channelOf = (name: string) => `catenary_${name}`

function* packs(changes: string[], bytes: number): Generator<string[], void> {
  let pack: string[] = []
  let size = 0
  for (const change of changes) {
    const length = Buffer.byteLength(change) + 1
    if (pack.length > 0 && size + length > bytes) {
      yield pack
      pack = []
      size = 0
    }
    pack.push(change)
    size += length
  }
  if (pack.length > 0) yield pack
}

interface Message {
  sender: string
  number: number
  changes: unknown[]
}

function read(payload: string): Message {
  const message = JSON.parse(payload)
  const { sender, number, changes } = message
  if (typeof sender === 'string' && typeof number === 'number' && Array.isArray(changes)) return message
  throw new TypeError('not a message between processes')
}
