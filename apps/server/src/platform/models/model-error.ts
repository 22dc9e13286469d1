import { OutboundError } from '../outbound/outbound-error.ts'
import { askedWait } from './asked-wait.ts'
import type { ModelErrorCode, ModelUsage } from './model-types.ts'
import { BrokenOffError, ProviderError, UnknownFormError } from './provider-error.ts'

interface ModelErrorOptions {
  code: ModelErrorCode
  message: string
  alias: string
  status?: number
  retryable?: boolean
  retryAfterMs?: number | undefined
  used?: ModelUsage | undefined
  quoted?: string
  /** The message without anything that the reply wrote; absent: the message has nothing of it. */
  plain?: string
}

/** The one error of a model call; its message is meant for a person and holds no key, and of the reply a sentence at most. */
export class ModelError extends Error {
  override readonly name = 'ModelError'
  readonly code: ModelErrorCode
  readonly alias: string
  readonly status: number | undefined
  readonly retryable: boolean
  readonly retryAfterMs: number | undefined
  used: ModelUsage | undefined
  readonly plain: string
  readonly quoted: string

  constructor(options: ModelErrorOptions) {
    const { code, message, alias, status, retryable = false, retryAfterMs, used, quoted = '' } = options
    super(quoted === '' ? message : `${message} It said: “${quoted}”`)
    this.plain = options.plain ?? message
    this.quoted = quoted
    this.code = code
    this.alias = alias
    this.status = status
    this.retryable = retryable
    this.retryAfterMs = retryAfterMs
    this.used = used
  }

  thatUsed(used: ModelUsage | undefined): this {
    this.used = used
    return this
  }
}

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

/** The pools were closed because the program stops. */
const CLOSED = new Set(['UND_ERR_DESTROYED', 'UND_ERR_CLOSED'])

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
  const broken = chain.find((link) => link instanceof BrokenOffError)
  if (broken) {
    const word = quoteVendor({ message: broken.message, apiKey: context.apiKey })
    const message = `${label} broke off its answer with “${word}”.`
    const plain = `${label} broke off its answer.`
    return new ModelError({ code: 'model_unavailable', alias, retryable: true, message, plain })
  }
  const unknown = chain.find((link) => link instanceof UnknownFormError)
  if (unknown) {
    const form = quoteVendor({ message: unknown.message, apiKey: context.apiKey })
    const message = `${label} sent an answer in an unknown form: ${form}.`
    const plain = `${label} sent an answer in an unknown form.`
    return new ModelError({ code: 'model_malformed', alias, message, plain })
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
    return new ModelError({ code: 'aborted', alias, message: `The call to ${label} was stopped.` })
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
  const { status, body } = refusal
  const quoted = quoteVendor({ message: refusal.message, apiKey })
  const common = { alias, status, quoted }
  const isUnpaid = /credit balance|billing_error/i.test(body)
  if (status === 429 || status === 402 || isUnpaid) {
    return new ModelError({
      ...common,
      code: 'model_quota',
      retryable: status === 429 && !isUnpaid && !/insufficient_quota/.test(body),
      retryAfterMs: askedWait({ refusal, now }),
      message: `The quota or rate limit of ${label} is used up (${status}). Check the plan or try again later.`,
    })
  }
  if (status === 401 || (status === 403 && isOfKey(refusal)) || /API_KEY_INVALID/.test(body)) {
    return new ModelError({
      ...common,
      code: 'model_key',
      message: `The API key for ${label} was refused (${status}). Check ${keyVariable}.`,
    })
  }
  if (status >= 500 || status === 408) {
    return new ModelError({
      ...common,
      code: status === 408 || status === 504 ? 'model_timeout' : 'model_unavailable',
      retryable: true,
      retryAfterMs: askedWait({ refusal, now }),
      message: `${label} is not available at the moment (${status}).`,
    })
  }
  return new ModelError({
    ...common,
    code: 'model_rejected',
    message: `${label} did not accept the request (${status}).`,
  })
}

/** A refusal may be about the model, the region or the text; where it says nothing, it is about the key. */
function isOfKey({ message, body }: ProviderError): boolean {
  return message === '' || /\bkeys?\b|api_?key|credential|authenti|authoriz|permission|token/i.test(body)
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

const QUOTED_LENGTH = 200
/** Shorter parts of a key are words of any language. */
const PART_OF_KEY_LENGTH = 8
/** Keys of vendors, and what vendors write of one that they hide the middle of. */
const KEY_LIKE = [
  /\b(sk|gsk|xai|pplx|hf|r8|key|AIza|AQ)[-_.]?[\w.*…-]{16,}/g,
  /\b(sk-|AIza|Bearer\s+)[\w.*…-]+/g,
  /[\w-]*\*{2,}[\w-]*/g,
]

/** The vendor's own sentence: short, one line, without the key or anything like one. */
function quoteVendor({ message, apiKey }: { message: string; apiKey: string }): string {
  const keys =
    apiKey === '' ? [] : [apiKey, encodeURIComponent(apiKey), Buffer.from(apiKey).toString('base64')]
  const whole = keys.reduce((text, key) => text.replaceAll(key, '[key]'), message)
  const parts = whole.replace(/[\w-]+/g, (word) =>
    word.length >= PART_OF_KEY_LENGTH && apiKey.includes(word) ? '[key]' : word,
  )
  return KEY_LIKE.reduce((text, like) => text.replace(like, '[key]'), parts)
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, QUOTED_LENGTH)
}
