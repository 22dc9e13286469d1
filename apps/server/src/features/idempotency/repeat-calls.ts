import { setTimeout as delay } from 'node:timers/promises'
import { AppError } from '../../errors.ts'
import { type Context, onePerApp } from '../../platform/context.ts'
import type { SecretBox } from '../../platform/secrets/secret-box.ts'
import {
  type Claim,
  createClaim,
  deleteClaim,
  deleteExpiredKeys,
  extendClaim,
  findOptionalByKey,
  type KeyOfActor,
  type StoredReply,
  storeReply,
} from './idempotency.sql.ts'

/** How long a reply is repeated (D7). */
const KEPT_HOURS = 24
/** After a process died, its calls may be taken over after this. */
const LEASE_SECONDS = 15
/** Extensions within a lease: one may come late or fail. */
const EXTENSIONS = 3
const POLL_MS = 100

interface Call extends KeyOfActor {
  fingerprint: string
}

interface Outcome {
  /** null: the reply can't be given twice. */
  reply: StoredReply | null
  /** False: a later call with the key runs again. */
  keep: boolean
}

type Begun =
  | { reply: StoredReply; finish?: never }
  | { reply?: never; finish: (outcome: Outcome) => Promise<void> }

interface Running {
  fingerprint: string
  outcome: Promise<Outcome>
}

/** Calls that this process runs, joined without asking the database. */
const runningCalls = onePerApp(() => new Map<string, Running>())

interface Leased extends Call {
  leaseSeconds?: number
}

/**
 * Runs each idempotent call once: a repeated one gets the first one's reply, waiting for it if need be (D7). Throws
 * `key_reused` for another request under the key.
 */
export async function beginCall(
  ctx: Context,
  { leaseSeconds = LEASE_SECONDS, ...call }: Leased,
): Promise<Begun> {
  const running = runningCalls(ctx)
  const place = JSON.stringify([call.actor, call.key])
  for (;;) {
    const first = running.get(place)
    if (first !== undefined) {
      refuseOther(call, first.fingerprint)
      const { reply } = await first.outcome
      if (reply !== null) return { reply }
      continue
    }
    const { promise, resolve } = Promise.withResolvers<Outcome>()
    running.set(place, { fingerprint: call.fingerprint, outcome: promise })
    const release = (outcome: Outcome): void => {
      running.delete(place)
      resolve(outcome)
    }
    try {
      const found = await claimOrFind(ctx, { ...call, leaseSeconds })
      if ('claim' in found) {
        const settle = holdClaim(ctx, { call, claim: found.claim, leaseSeconds })
        return { finish: (outcome) => settle(outcome).finally(() => release(outcome)) }
      }
      release({ reply: found.reply, keep: true })
      return found
    } catch (error) {
      release({ reply: null, keep: false })
      throw error
    }
  }
}

async function claimOrFind(
  { db, secrets }: Context,
  { leaseSeconds, ...call }: Required<Leased>,
): Promise<{ claim: Claim } | { reply: StoredReply }> {
  for (;;) {
    const claim = await createClaim(db, { ...call, leaseSeconds, keptHours: KEPT_HOURS })
    if (claim !== undefined) return { claim }
    const stored = await findOptionalByKey(db, call)
    if (stored !== undefined) {
      refuseOther(call, stored.fingerprint)
      if (stored.reply !== null) return { reply: openReply({ secrets, call, reply: stored.reply }) }
    }
    await delay(POLL_MS)
  }
}

export const deleteExpiredReplies = ({ app }: Context): Promise<number> =>
  deleteExpiredKeys(app.db, { keptHours: KEPT_HOURS })

function refuseOther(call: Call, fingerprint: string): void {
  if (call.fingerprint !== fingerprint) {
    throw new AppError('key_reused', 'This Idempotency-Key was used for a different request. Send a new key.')
  }
}

interface KeptReply {
  secrets: SecretBox
  call: KeyOfActor
  reply: StoredReply
}

export const contextOf = ({ actor, key }: KeyOfActor): string => JSON.stringify(['kept reply', actor, key])

function sealReply({ secrets, call, reply }: KeptReply): StoredReply {
  const { body: text } = reply
  return { ...reply, body: text === null ? null : secrets.seal({ text, context: contextOf(call) }) }
}

function openReply({ secrets, call, reply }: KeptReply): StoredReply {
  const { body: sealed } = reply
  if (sealed === null) return reply
  const body = secrets.openOptional({ sealed, context: contextOf(call) })
  if (body !== undefined) return { ...reply, body }
  throw new AppError('conflict', 'The first reply can no longer be read. Check whether the change was made.')
}

interface Held {
  call: Call
  claim: Claim
  leaseSeconds: number
}

/** Keeps the claim alive; the result settles it and never fails, as the call itself has succeeded. */
function holdClaim(
  { db, log, secrets }: Context,
  { call, claim, leaseSeconds }: Held,
): (outcome: Outcome) => Promise<void> {
  let held: Promise<Claim | undefined> = Promise.resolve(claim)
  const extend = async (current: Claim | undefined): Promise<Claim | undefined> => {
    if (current === undefined) return undefined
    try {
      return await extendClaim(db, { claim: current, leaseSeconds })
    } catch (error) {
      log.warn({ err: error }, 'an idempotency key was not extended')
      return current
    }
  }
  const timer = setInterval(
    () => {
      held = held.then(extend)
    },
    (leaseSeconds * 1000) / EXTENSIONS,
  )
  timer.unref()
  return async ({ reply, keep }) => {
    clearInterval(timer)
    const current = await held
    if (current === undefined) return
    try {
      if (reply !== null && keep)
        await storeReply(db, { claim: current, reply: sealReply({ secrets, call, reply }) })
      else await deleteClaim(db, current)
    } catch (error) {
      log.warn({ err: error }, 'the reply to an idempotency key was not stored')
    }
  }
}
