import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { isOutage } from '../../../database/failures/database-failure.ts'
import type { Executor, Transaction } from '../../../database/statements/executor.ts'
import type { Context, SqlContext } from '../../../platform/context.ts'
import { followChainRun } from '../../runs/runs.ts'
import { GatewayError } from './gateway-error.ts'
import {
  deleteIdempotentCall,
  deleteOldIdempotentCalls,
  findOptionalIdempotentCall,
  insertIdempotentCall,
} from './idempotent-calls.sql.ts'
import type { ChainRequest } from './wires/wire.ts'

const KEPT_HOURS = 24
/** A run is recorded right after its key; after this its process is taken for dead. */
const UNRECORDED_MS = 15_000
const POLL_MS = 100

interface IdempotentCall {
  key: string | undefined
  path: string
  request: Pick<ChainRequest, 'model' | 'messages' | 'bounds' | 'attached'> &
    Partial<Pick<ChainRequest, 'background'>>
  resumed: number | undefined
}

type FollowedRun = NonNullable<Awaited<ReturnType<typeof followChainRun>>>

interface NewIdempotentCall {
  call: IdempotentCall & { key: string }
  tokenId: number
  chainId: number
  executionId: number
  /** A resumed run does `inClaim` as it is claimed. */
  begin(own: { id: number; inClaim?: (transaction: Transaction) => Promise<void> }): Promise<FollowedRun>
}

class KeyTakenError extends Error {}

/** The run of that key, which repeated calls follow (D46); undefined where there is none yet. Throws `conflict` for another request. */
export async function followCall(ctx: Context, { call, tokenId }: { call: IdempotentCall; tokenId: number }) {
  const { db } = ctx
  const { key } = call
  if (key === undefined) return undefined
  for (;;) {
    const found = await findOptionalIdempotentCall(db, { tokenId, key })
    if (found === undefined) return undefined
    if (found.fingerprint !== fingerprintOf(call)) {
      throw new GatewayError(
        'conflict',
        'This Idempotency-Key was used for a different request. Send a new key.',
      )
    }
    const { executionId } = found
    const run = await followChainRun(ctx, executionId)
    if (run !== undefined) return run
    const isLost = Date.now() - found.createdAt.getTime() > UNRECORDED_MS
    if (isLost) await deleteIdempotentCall(db, { tokenId, key, executionId })
    else await delay(POLL_MS)
  }
}

/** One run per key and token; another call may have begun it meanwhile. */
export async function startCall(
  ctx: Context,
  wanted: NewIdempotentCall,
): Promise<{ run: FollowedRun; isFirst: boolean }> {
  const { call, tokenId, chainId, executionId, begin } = wanted
  const { key } = call
  const fingerprint = fingerprintOf(call)
  const record = async (db: Executor) => {
    const isFirst = await insertIdempotentCall(db, { tokenId, key, fingerprint, executionId, chainId })
    if (!isFirst) throw new KeyTakenError()
  }
  try {
    // Recorded before the claim, the key would lead a repeat to the end that the run had before.
    if (call.resumed !== undefined)
      return { run: await begin({ id: executionId, inClaim: record }), isFirst: true }
    await record(ctx.db)
    return { run: await beginRecorded(ctx, wanted), isFirst: true }
  } catch (error) {
    if (!(error instanceof KeyTakenError)) throw error
    const run = await followCall(ctx, { call, tokenId })
    return run === undefined ? startCall(ctx, wanted) : { run, isFirst: false }
  }
}

async function beginRecorded(
  { db }: SqlContext,
  { call, tokenId, executionId, begin }: NewIdempotentCall,
): Promise<FollowedRun> {
  try {
    return await begin({ id: executionId })
  } catch (error) {
    // With its connection the answer may be lost, not the run: a repeat follows that, or waits until it is taken for lost.
    if (!isOutage(error)) await deleteIdempotentCall(db, { tokenId, key: call.key, executionId })
    throw error
  }
}

export const deleteExpiredCalls = ({ db }: SqlContext): Promise<number> =>
  deleteOldIdempotentCalls(db, { hours: KEPT_HOURS })

/** Equal for calls that ask the same, streamed or not. */
function fingerprintOf({ path, request, resumed }: IdempotentCall): string {
  const { model, messages, bounds, attached, background } = request
  // What is absent leaves the fingerprint as it was before there was such a thing.
  const more = [resumed, attached, background || undefined].filter((one) => one !== undefined)
  return createHash('sha256')
    .update(JSON.stringify([path, model, messages, bounds, ...more]))
    .digest('hex')
}
