import { createHmac } from 'node:crypto'
import { type AppContext, type Context, onePerApp } from '../../platform/context.ts'
import type { SecretKeys } from '../../platform/secrets/secret-key.ts'
import { insertActivity, type NewActivity } from './activity.sql.ts'

const MINUTE_MS = 60_000
/** So many kinds, people and addresses a minute are told apart, so that nobody fills the disk with what is refused. */
const TOLD_APART = 1_000

type Refusal = Omit<NewActivity, 'before' | 'count'>

interface Alike {
  row: Refusal
  more: number
  timer: NodeJS.Timeout
}

const refusals = onePerApp(createRefusals)

/** The first of those that are alike is written at once, and how many more there were when a minute has passed. */
export const noteRefusal = (ctx: Context, refusal: Refusal): void => refusals(ctx).note(refusal)

/** Once what was noted is written, also what would be at the end of its minute. */
export const writeRefusals = (ctx: Context): Promise<void> => refusals(ctx).end()

function createRefusals({ db, log }: AppContext) {
  const alike = new Map<string, Alike>()
  const writing = new Set<Promise<void>>()

  function write(row: NewActivity): void {
    const written: Promise<void> = insertActivity(db, row)
      .catch((error: unknown) => log.warn({ err: error }, 'a refusal could not be written down'))
      .finally(() => writing.delete(written))
    writing.add(written)
  }

  function note(refusal: Refusal): void {
    const own = keyOf(refusal)
    const isApart = alike.has(own) || alike.size < TOLD_APART
    const row = isApart ? refusal : nameless(refusal)
    const key = isApart ? own : ''
    const before = alike.get(key)
    if (before !== undefined) {
      before.more += 1
      before.row = inCommon(before.row, row)
      return
    }
    const timer = setTimeout(() => finish(key), MINUTE_MS).unref()
    alike.set(key, { row, more: 0, timer })
    write(row)
  }

  function finish(key: string): void {
    const ended = alike.get(key)
    if (ended === undefined) return
    clearTimeout(ended.timer)
    alike.delete(key)
    if (ended.more > 0) write({ ...ended.row, count: ended.more })
  }

  return {
    note,
    async end(): Promise<void> {
      for (const key of [...alike.keys()]) finish(key)
      await Promise.all(writing)
    },
  }
}

const keyOf = ({ kind, personId, door, address }: Refusal): string =>
  JSON.stringify([kind, personId, door, address])

const nameless = (row: Refusal): Refusal => ({ ...row, personId: null, address: null })

function inCommon(one: Refusal, other: Refusal): Refusal {
  const isSame = one.objectType === other.objectType && one.objectId === other.objectId
  const isSameName = JSON.stringify(one.after) === JSON.stringify(other.after)
  return {
    ...one,
    ...(!isSame && { objectId: null, ownerId: null }),
    ...(!isSameName && { after: null }),
  }
}

const LETTERS = 2
const DIGITS = 8

/**
 * A name that somebody typed and no account has: people type passwords there. Equal names are equal until the secret key
 * is changed, and nobody without the key can try whether it was one that they guess.
 */
export function maskTypedName({ secretKey }: Pick<SecretKeys, 'secretKey'>, typed: string): string {
  const name = typed.trim().toLowerCase()
  const digest = createHmac('sha256', secretKey).update(`typed name: ${name}`).digest('hex')
  return `${[...name].slice(0, LETTERS).join('')}… ${digest.slice(0, DIGITS)}…`
}
