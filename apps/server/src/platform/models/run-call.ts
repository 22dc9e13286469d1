import { costNanos, savedNanos } from '@catenary/domain'
import { addUsage } from './add-usage.ts'
import { AttemptFailure } from './attempt-failure.ts'
import { ModelError, stoppedCall, toModelError } from './model-error.ts'
import type {
  AttemptResult,
  ModelCall,
  ModelEvent,
  ModelLimits,
  ModelTarget,
  ModelUsage,
  RetryNotice,
} from './model-types.ts'
import { findPrice, type ModelPrices } from './prices.ts'
import { ProviderError } from './provider-error.ts'
import { type ProviderPause, type ProviderPauses, StillRefusing, type Turn } from './provider-pause.ts'
import { tooLong } from './provider-reply.ts'
import { askedTooMuch, type Clock, MAX_RETRY_AFTER_MS, retryDelay } from './retry.ts'

interface RunOptions {
  target: ModelTarget
  call: ModelCall
  streamed: boolean
  limits: ModelLimits
  clock: Clock
  random: () => number
  prices: ModelPrices | undefined
  noticeRetry: (notice: RetryNotice) => void
  pauses: ProviderPauses
}

const WAIT_MAX_MS = 60_000
/** A provider that answers so, and says for how long, is left alone by all calls. */
const PAUSING = new Set([429, 503, 529])

/** Runs a call to its end: attempts until one answers, retries only while no text was delivered, unless the answer may start over. */
export async function* runCall(options: RunOptions): AsyncGenerator<ModelEvent, void> {
  const { target, call, clock, random, noticeRetry, pauses } = options
  const startedAt = clock.now()
  let leftMs = call.waitMs ?? WAIT_MAX_MS
  /** What attempts took of which nothing is kept. */
  const lost: (ModelUsage | undefined)[] = []
  for (let retries = 0; ; retries++) {
    const texts: string[] = []
    let firstTokenMs: number | undefined
    const pause = target.pauseKey === undefined ? undefined : pauses.find(target.pauseKey)
    const waitsFrom = clock.now()
    const turn = pause && (await awaitTurn({ target, call, pause, mostMs: leftMs }))
    leftMs -= clock.now() - waitsFrom
    try {
      for await (const part of runAttempt(options)) {
        turn?.letIn()
        if (typeof part === 'string') {
          firstTokenMs ??= clock.now() - startedAt
          texts.push(part)
          yield { type: 'delta', text: part }
          continue
        }
        yield {
          type: 'done',
          text: texts.join(''),
          provider: target.provider,
          requestedAlias: call.alias,
          modelId: part.modelId,
          finishReason: part.finishReason,
          ...addUsage([...lost, usageOf({ ...options, result: part })]),
          firstTokenMs: firstTokenMs ?? 0,
          durationMs: clock.now() - startedAt,
          retries,
        }
      }
      return
    } catch (thrown) {
      const askedMs = pauseAfter(options, thrown)
      if (!(thrown instanceof ModelError)) throw thrown
      lost.push(thrown.used)
      const error = thrown.thatUsed(addUsage(lost))
      if (texts.length > 0 && call.repeatable !== true) throw error
      const mostMs = askedMs > 0 ? leftMs : MAX_RETRY_AFTER_MS
      const delayMs = retryDelay({ error, retries, random, mostMs })
      const notice = { alias: call.alias, retry: retries + 1, delayMs, code: error.code }
      noticeRetry(notice)
      call.onRetry?.(notice)
      if (delayMs <= askedMs) continue
      await clock.sleep({ ms: delayMs - askedMs, signal: call.signal }).catch((reason) => {
        throw call.signal?.aborted ? stoppedCall(call.alias).thatUsed(error.used) : reason
      })
    } finally {
      turn?.end()
    }
  }
}

/** Has all calls leave the provider alone that asks for it; for how many milliseconds it does, or 0. */
function pauseAfter({ target: { pauseKey }, pauses }: RunOptions, error: unknown): number {
  if (pauseKey === undefined || !(error instanceof ModelError)) return 0
  const { status = 0, retryable, retryAfterMs: ms = 0 } = error
  if (!retryable || !PAUSING.has(status) || ms <= 0) return 0
  pauses.begin(pauseKey, { status, ms })
  return ms
}

async function* runAttempt(options: RunOptions): AsyncGenerator<string | AttemptResult, void> {
  const { target, call, streamed, limits, clock } = options
  const { alias } = target
  if (call.signal?.aborted) throw stoppedCall(alias)
  const upstream = new AbortController()
  const stop = () => upstream.abort(call.signal?.reason)
  call.signal?.addEventListener('abort', stop, { once: true })
  const countdown = clock.countDown({
    ms: limits.totalMs,
    onEnd: () => upstream.abort(tookTooLong({ target, limits })),
  })
  let bytes = 0
  try {
    for await (const part of target.attempt({ call, upstream, streamed })) {
      call.signal?.throwIfAborted()
      if (typeof part === 'string') bytes += Buffer.byteLength(part)
      else if (bytes === 0) throw withoutText({ ...options, result: part })
      if (bytes > limits.textBytes) throw tooLong({ model: target, bytes: limits.textBytes })
      yield part
    }
  } catch (error) {
    const used = usedBy(options, error)
    if (call.signal?.aborted) throw stoppedCall(alias).thatUsed(used)
    const { reason } = upstream.signal
    const failed = reason instanceof ModelError ? reason : toModelError({ ...target, error, now: Date.now() })
    throw failed.thatUsed(used ?? failed.used)
  } finally {
    countdown.cancel()
    call.signal?.removeEventListener('abort', stop)
  }
}

function usedBy(options: RunOptions, error: unknown): ModelUsage | undefined {
  if (!(error instanceof AttemptFailure) || !error.isCounted) return undefined
  return usageOf({ ...options, result: error.result })
}

function usageOf({ target, prices, result }: RunOptions & { result: AttemptResult }): ModelUsage {
  const { inputTokens, outputTokens, cachedTokens } = result
  const counts = { inputTokens, outputTokens, cachedTokens }
  if (target.provider === 'sandbox') return { ...counts, costNanos: 0, savedNanos: 0 }
  const overrides = prices ?? {}
  const price =
    target.ownPrice ??
    findPrice({ modelId: result.modelId, overrides }) ??
    findPrice({ modelId: target.modelId, overrides })
  const priced = { ...result, price }
  return { ...counts, costNanos: costNanos(priced), savedNanos: savedNanos(priced) }
}

function withoutText({ result, ...options }: RunOptions & { result: AttemptResult }): ModelError {
  const { alias, label } = options.target
  const { finishReason, unknown } = result
  const used = usageOf({ ...options, result })
  if (unknown !== undefined) {
    const message = `${label} sent an answer in an unknown form: “${unknown}”.`
    return new ModelError({ code: 'model_malformed', alias, used, message })
  }
  if (finishReason === 'tool') {
    const message = `${label} called a tool instead of answering.`
    return new ModelError({ code: 'model_malformed', alias, used, message })
  }
  if (finishReason === 'content_filter') {
    return new ModelError({ code: 'model_refused', alias, used, message: `${label} declined to answer.` })
  }
  const reason = finishReason === 'length' ? ': its token limit was reached before any text' : ''
  return new ModelError({
    code: 'model_malformed',
    alias,
    used,
    message: `${label} sent an empty answer${reason}.`,
  })
}

function tookTooLong({
  target: { alias, label },
  limits,
}: {
  target: ModelTarget
  limits: ModelLimits
}): ModelError {
  return new ModelError({
    code: 'model_timeout',
    alias,
    message: `${label} did not finish in time: the answer took longer than ${limits.totalMs / 1000} s.`,
  })
}

interface AwaitTurn {
  target: ModelTarget
  call: ModelCall
  pause: ProviderPause
  /** The longest wait, in milliseconds. */
  mostMs: number
}

/**
 * Waits until the call may go on, while others have its place. Throws `ModelError`: the provider's own refusal where the
 * wait is too long or too many wait, or `aborted`.
 */
async function awaitTurn({ target, call, pause, mostMs }: AwaitTurn): Promise<Turn> {
  const { userId, signal, onWait, waitAside = (wait) => wait() } = call
  let turn: Turn | undefined
  const enter = async () => {
    turn = await pause.enter({
      userId,
      signal,
      mostMs,
      onWait: (wait) => onWait?.(wait && { vendor: target.vendor, ...wait }),
    })
  }
  try {
    await (pause.isFree() ? enter() : waitAside(enter))
  } catch (error) {
    turn?.end()
    throw error instanceof StillRefusing ? toRefusal(target, error) : error
  }
  if (turn === undefined) throw stoppedCall(call.alias)
  return turn
}

function toRefusal(target: ModelTarget, { status, leftMs }: StillRefusing): ModelError {
  const refusal = toModelError({
    ...target,
    error: new ProviderError({ status, body: '', message: '' }),
    now: Date.now(),
  })
  if (leftMs > 0) return askedTooMuch(refusal, leftMs)
  const { code, alias } = refusal
  return new ModelError({
    code,
    alias,
    status,
    retryable: true,
    message: `${refusal.message} Other calls are already waiting for it.`,
  })
}
