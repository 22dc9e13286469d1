import { ModelError, stoppedCall, toModelError } from './model-error.ts'
import type { ModelCall, ModelTarget } from './model-types.ts'
import { ProviderError } from './provider-error.ts'
import { type ProviderPause, StillRefusing, type Turn } from './provider-pause.ts'
import { askedTooMuch } from './retry.ts'

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
export async function awaitTurn({ target, call, pause, mostMs }: AwaitTurn): Promise<Turn> {
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
    message: `${refusal.message} Other calls wait for it already.`,
  })
}
