import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Database, Executor, Transaction } from '../../db/executor.ts'
import type { Runs } from '../runs/runs.ts'
import { GatewayError } from './gateway-error.ts'
import {
  createIdempotentCall,
  deleteIdempotentCall,
  deleteOldIdempotentCalls,
  findOptionalIdempotentCall,
} from './idempotent-calls.repository.ts'
import type { ChainRequest } from './wires/wire.ts'

const KEPT_HOURS = 24
/** A run is recorded right after its key; after this its process is taken for dead. */
const UNRECORDED_MS = 15_000
const POLL_MS = 100

interface IdempotentCall {
  key: string | undefined
  path: string
  request: Pick<ChainRequest, 'model' | 'messages' | 'bounds' | 'attached'>
  /** The run that it goes on with. */
  resumed: number | undefined
}

type ChainRuns = Runs['chainRuns']
type FollowedRun = NonNullable<Awaited<ReturnType<ChainRuns['follow']>>>

interface NewIdempotentCall {
  call: IdempotentCall & { key: string }
  tokenId: number
  chainId: number
  /** The id of the run to start or resume. */
  executionId: number
  /** One that goes on does `inClaim` as it is claimed. */
  begin(own: { id: number; inClaim?: (transaction: Transaction) => Promise<void> }): Promise<FollowedRun>
}

/** Another call has the key. */
class KeyTakenError extends Error {}

export type IdempotentCalls = ReturnType<typeof createIdempotentCalls>

/** Calls with an Idempotency-Key: one run per key and token; repeated calls follow the same run (D46). */
export function createIdempotentCalls({ db, chainRuns }: { db: Database; chainRuns: ChainRuns }) {
  /** The run of that key; undefined where there is none yet. */
  async function follow({ call, tokenId }: { call: IdempotentCall; tokenId: number }) {
    const { key } = call
    if (key === undefined) return undefined
    for (;;) {
      const found = await findOptionalIdempotentCall(db, { tokenId, key })
      if (found === undefined) return undefined
      if (found.fingerprint !== fingerprintOf(call)) {
        throw new GatewayError('conflict', 'This Idempotency-Key was used for another request.')
      }
      const { executionId } = found
      const run = await chainRuns.follow(executionId)
      if (run !== undefined) return run
      const isLost = Date.now() - found.createdAt.getTime() > UNRECORDED_MS
      if (isLost) await deleteIdempotentCall(db, { tokenId, key, executionId })
      else await delay(POLL_MS)
    }
  }

  /** Another call may have begun the run meanwhile. */
  async function start(wanted: NewIdempotentCall): Promise<{ run: FollowedRun; isFirst: boolean }> {
    const { call, tokenId, chainId, executionId, begin } = wanted
    const { key } = call
    const fingerprint = fingerprintOf(call)
    const record = async (executor: Executor) => {
      const isFirst = await createIdempotentCall(executor, {
        tokenId,
        key,
        fingerprint,
        executionId,
        chainId,
      })
      if (!isFirst) throw new KeyTakenError()
    }
    try {
      // Recorded before the claim, the key would lead a repeat to the end that the run had before.
      if (call.resumed !== undefined)
        return { run: await begin({ id: executionId, inClaim: record }), isFirst: true }
      await record(db)
      return { run: await beginRecorded(wanted), isFirst: true }
    } catch (error) {
      if (!(error instanceof KeyTakenError)) throw error
      const run = await follow({ call, tokenId })
      return run === undefined ? start(wanted) : { run, isFirst: false }
    }
  }

  async function beginRecorded({
    call,
    tokenId,
    executionId,
    begin,
  }: NewIdempotentCall): Promise<FollowedRun> {
    try {
      return await begin({ id: executionId })
    } catch (error) {
      await deleteIdempotentCall(db, { tokenId, key: call.key, executionId })
      throw error
    }
  }

  return {
    follow,
    start,

    /** The number of keys that were past their time. */
    deleteExpired: () => deleteOldIdempotentCalls(db, { hours: KEPT_HOURS }),
  }
}

/** Equal for calls that ask the same, streamed or not. */
function fingerprintOf({ path, request, resumed }: IdempotentCall): string {
  const { model, messages, bounds, attached } = request
  // What is absent leaves the fingerprint as it was before there was such a thing.
  const more = [resumed, attached].filter((one) => one !== undefined)
  return createHash('sha256')
    .update(JSON.stringify([path, model, messages, bounds, ...more]))
    .digest('hex')
}
