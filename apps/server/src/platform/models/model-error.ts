import { OutboundError } from '../outbound/outbound-error.ts'
import { askedWait } from './asked-wait.ts'
import type { ModelErrorCode, ModelUsage } from './model-types.ts'
import { ProviderError } from './provider-error.ts'

interface ModelErrorOptions {
  code: ModelErrorCode
  message: string
  alias: string
  /** The upstream's HTTP status, where there was one. */
  status?: number
  retryable?: boolean
  /** What the upstream asked for, in milliseconds. */
  retryAfterMs?: number | undefined
  /** What the failed call used nevertheless. */
  used?: ModelUsage | undefined
}

/** The one error of a model call; its message is meant for a person and holds neither key nor upstream body. */
export class ModelError extends Error {
  override readonly name = 'ModelError'
  readonly code: ModelErrorCode
  readonly alias: string
  readonly status: number | undefined
  readonly retryable: boolean
  readonly retryAfterMs: number | undefined
  readonly used: ModelUsage | undefined

  constructor({ code, message, alias, status, retryable = false, retryAfterMs, used }: ModelErrorOptions) {
    super(message)
    this.code = code
    this.alias = alias
    this.status = status
    this.retryable = retryable
    this.retryAfterMs = retryAfterMs
    this.used = used
  }
}

/** A call that its caller stopped. */
export function stoppedCall(alias: string): ModelError {
  return new ModelError({ code: 'aborted', alias, message: 'The call was stopped.' })
}

interface UpstreamContext {
  alias: string
  label: string
  keyVariable: string
  apiKey: string
  now: number
}

const QUOTED_MESSAGE_LENGTH = 200
/** The pools were closed because the program stops. */
const CLOSED = new Set(['UND_ERR_DESTROYED', 'UND_ERR_CLOSED'])

/** Converts any error of an attempt into a `ModelError`. */
export function toModelError({ error, ...context }: UpstreamContext & { error: unknown }): ModelError {
  const chain = causeChain(error)
  const own = chain.find((link) => link instanceof ModelError)
  if (own) return own
  const refusal = chain.find((link) => link instanceof ProviderError)
  if (refusal) return fromStatus({ refusal, ...context })
  const { alias, label } = context
  const blocked = chain.find((link) => link instanceof OutboundError)
  if (blocked?.code === 'blocked') {
    const message = `The address of ${label} is not allowed: ${blocked.message}.`
    return new ModelError({ code: 'model_rejected', alias, message })
  }
  const code = networkCode(chain)
  if (code === undefined) {
    return new ModelError({
      code: 'model_malformed',
      alias,
      message: `${label} sent an answer that could not be read.`,
    })
  }
  if (CLOSED.has(code)) {
    return new ModelError({ code: 'aborted', alias, message: `The call of ${label} was stopped.` })
  }
  return new ModelError({
    code: 'model_unavailable',
    alias,
    retryable: true,
    message: `${label} could not be reached: the connection failed or broke off.`,
  })
}

function fromStatus({
  refusal,
  alias,
  label,
  keyVariable,
  apiKey,
  now,
}: UpstreamContext & { refusal: ProviderError }): ModelError {
  const { status, body, message } = refusal
  const isUnpaid = /credit balance|billing_error/i.test(body)
  if (status === 429 || status === 402 || isUnpaid) {
    return new ModelError({
      code: 'model_quota',
      alias,
      status,
      retryable: status === 429 && !isUnpaid && !/insufficient_quota/.test(body),
      retryAfterMs: askedWait({ refusal, now }),
      message: `The quota or rate limit of ${label} is used up (${status}). Check the plan or try again later.`,
    })
  }
  if (status === 401 || status === 403 || /API_KEY_INVALID/.test(body)) {
    return new ModelError({
      code: 'model_key',
      alias,
      status,
      message: `The API key for ${label} was refused (${status}). Check ${keyVariable}.`,
    })
  }
  if (status >= 500 || status === 408) {
    return new ModelError({
      code: status === 408 || status === 504 ? 'model_timeout' : 'model_unavailable',
      alias,
      status,
      retryable: true,
      retryAfterMs: askedWait({ refusal, now }),
      message: `${label} is not available at the moment (${status}).`,
    })
  }
  const quoted = quote({ message, apiKey })
  return new ModelError({
    code: 'model_rejected',
    alias,
    status,
    message: `${label} did not accept the request (${status})${quoted === '' ? '.' : `: ${quoted}`}`,
  })
}

/** The vendor's own sentence on a request it did not accept: short, one line, without anything key-like. */
function quote({ message, apiKey }: { message: string; apiKey: string }): string {
  const withoutKey = apiKey === '' ? message : message.replaceAll(apiKey, '[key]')
  return withoutKey
    .replace(/\b(sk-|AIza|Bearer\s)[\w.*-]+/g, '[key]')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, QUOTED_MESSAGE_LENGTH)
}

/** Failures of a connection carry a code (`ECONNRESET`, `UND_ERR_SOCKET`); an answer that can't be read has none. */
function networkCode(chain: readonly unknown[]): string | undefined {
  for (const link of chain) {
    if (link instanceof Error && 'code' in link && typeof link.code === 'string') return link.code
  }
  return undefined
}

function causeChain(error: unknown): unknown[] {
  const chain: unknown[] = []
  for (let link = error; link != null && !chain.includes(link); link = (link as { cause?: unknown }).cause) {
    chain.push(link)
  }
  return chain
}
