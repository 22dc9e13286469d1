import { setTimeout as delay } from 'node:timers/promises'
import type { Context } from '../../../platform/context.ts'
import { followChainRun, onRunEnded, type RunOutcome, readOutcome, stopRun } from '../../runs/runs.ts'
import { addUse, type Grant } from '../../tokens/tokens.ts'
import {
  type BackgroundCallRow,
  findOptionalBackgroundCall,
  forgetBackgroundCall,
  takeUncounted,
} from './background-calls.sql.ts'
import { GatewayError, refused, toRunError } from './gateway-error.ts'
import { nameOfChain } from './model-names.ts'
import { messageItem, type ResponseState, responseObject, statusOf } from './wires/response-object.ts'

const RESPONSE = /^resp_([1-9]\d{0,9})$/
const ID_MAX = 2 ** 31 - 1
/** One that is stopped ends within moments; where its process is busy the reply says that it still goes on. */
const STOPS_WITHIN_MS = 5_000
/** As runs name it at their start. */
export const COUNTED_LATER = 'token-calls'

interface Wanted {
  grant: Grant
  /** As the reply to the call named it. */
  name: string
}

/** An answer in the background as it is now, for the token that asked for it, in the form of the call (D83). */
export async function readResponse(ctx: Context, { query, ...wanted }: Wanted & { query?: unknown }) {
  const { stream } = Object(query) as { stream?: unknown }
  if (stream === true || stream === 'true')
    throw refused('stream', 'not supported: ask again until it is complete')
  return toResponse(ctx, await findCall(ctx, wanted))
}

/** One that has ended stays as it is. */
export async function cancelResponse(ctx: Context, wanted: Wanted) {
  const { id, status } = await findCall(ctx, wanted)
  if (status === 'running') {
    await stopRun(ctx, id)
    const run = await followChainRun(ctx, id)
    const waiting = new AbortController()
    const late = delay(STOPS_WITHIN_MS, undefined, { signal: waiting.signal }).catch(() => undefined)
    await Promise.race([run?.outcome, late])
    waiting.abort()
  }
  return toResponse(ctx, await findCall(ctx, wanted))
}

/** The run stays in its history. */
export async function deleteResponse(ctx: Context, wanted: Wanted) {
  const { id } = await findCall(ctx, wanted)
  if (!(await forgetBackgroundCall(ctx.db, { id, tokenId: wanted.grant.tokenId }))) {
    throw new GatewayError('conflict', `${wanted.name} has not ended. Cancel it first.`)
  }
  return { id: wanted.name, object: 'response', deleted: true }
}

async function findCall({ db }: Context, { grant, name }: Wanted): Promise<BackgroundCallRow> {
  const id = Number(RESPONSE.exec(name)?.[1] ?? ID_MAX + 1)
  const found = id > ID_MAX ? undefined : await findOptionalBackgroundCall(db, { id, tokenId: grant.tokenId })
  if (found !== undefined) return found
  throw new GatewayError('not_found', `This token has no response ${name}.`, { param: 'response_id' })
}

async function toResponse(ctx: Context, call: BackgroundCallRow) {
  const { id, chainId, chainLabel: label, apiCall, executedAt, finishedAt } = call
  const { model, echo, bestChain } = apiCall?.background ?? { model: '', echo: {} }
  const head = {
    id: `${id}`,
    createdAt: executedAt,
    model: nameOfChain({ id: chainId ?? 0, label, asked: model }),
    request: { echo },
    bestChain,
  }
  const outcome = call.status === 'running' ? undefined : await readOutcome(ctx, { id })
  return responseObject({ head, completedAt: finishedAt ?? undefined, ...stateOf({ call, outcome, head }) })
}

interface Ended {
  call: BackgroundCallRow
  outcome: RunOutcome | undefined
  head: { id: string }
}

function stateOf({ call, outcome, head }: Ended): Omit<ResponseState, 'head' | 'completedAt'> {
  // A run that waits for a person goes on; only what no worker has begun is queued.
  if (outcome === undefined || isWaiting(outcome))
    return { status: call.attempt === 0 ? 'queued' : 'in_progress', output: [] }
  if (outcome.status === 'completed') {
    const { answer } = outcome
    const status = statusOf(answer)
    return { status, output: [messageItem({ head, text: answer.text, status })], answer }
  }
  if (outcome.status === 'cancelled') return { status: 'cancelled', output: [] }
  return { status: 'failed', output: [], error: toRunError(outcome) }
}

const isWaiting = (outcome: RunOutcome): boolean =>
  outcome.status === 'failed' && outcome.code === 'run_waiting'

/** What a run that waits for people took is counted as it ends: nobody follows it until then. */
export function countWaitedCalls(ctx: Context): void {
  onRunEnded(ctx, {
    subscriber: COUNTED_LATER,
    handle: async ({ executionId, reference }) => {
      const taken = await takeUncounted(ctx.db, executionId)
      if (taken === undefined) return
      const { error, errorCode, ...used } = taken
      addUse(ctx, {
        tokenId: Number(reference),
        ...used,
        error: error === null ? undefined : { message: error, code: errorCode ?? 'internal' },
      })
    },
  })
}
