import type {
  AttachmentKind,
  Capabilities,
  Effort,
  EnvironmentAlias,
  FinishReason,
  MediaType,
  ModelAlias,
  ModelStatus,
  ProviderKind,
} from '@catenary/contracts'
import type { ModelPrice } from '@catenary/domain'
import type { Reach } from '../outbound/pool-connector.ts'
import type { ModelPrices } from './prices.ts'

export type ModelErrorCode =
  | 'model_not_configured'
  | 'model_key'
  | 'model_quota'
  | 'model_unavailable'
  | 'model_timeout'
  | 'model_malformed'
  | 'model_too_long'
  | 'model_refused'
  | 'model_rejected'
  | 'model_unable'
  | 'model_unpriced'
  | 'model_forbidden'
  | 'answer_invalid'
  | 'answer_cut'
  | 'budget_spent'
  | 'aborted'

type ModelProvider = ModelStatus['provider']

export interface ModelSettings {
  apiKey?: string | undefined
  baseUrl: string
  modelId: string
  label?: string | undefined
  /** Which API of OpenAI; derived from the base URL unless given. */
  wire?: 'chat' | 'responses' | undefined
}

export interface ModelSource extends ModelName {
  kind: ProviderKind
  settings: ModelSettings
  configured: boolean
  keyName: string
  addressName: string
  neededName: string
  /** Where its address may lead; `any`: it stands in the settings. */
  reach: Reach | 'any'
  capabilities: Capabilities
  contextTokens: number | null
  /** Goes before every other price; null: the known one. */
  ownPrice: ModelPrice | null
}

export interface ListedProvider {
  kind: ProviderKind
  baseUrl: string
  apiKey: string | undefined
  reach: Reach | 'any'
}

export type ModelsSettings = Partial<Record<EnvironmentAlias, ModelSettings>> & {
  sandbox: 'auto' | 'on' | 'off'
  prices?: ModelPrices
  limits?: Pick<ModelLimits, 'firstByteMs' | 'silenceMs'>
}

export interface RetryNotice {
  alias: string
  retry: number
  delayMs: number
  code: ModelErrorCode
}

/** Why a call is not under way yet: its provider asked to be left alone. */
export interface LimitWait {
  vendor: string
  /** It said that it is overloaded; else its rate limit is used up. */
  isOverload: boolean
  /** When it may be asked again; past while another call asks first. */
  until: Date
}

export interface AttachedPart {
  type: AttachmentKind
  mediaType: MediaType
  fileName: string
  data: string
}

export type ModelPart = { type: 'text'; text: string } | AttachedPart

export interface ModelMessage {
  role: 'user' | 'assistant'
  content: string | readonly ModelPart[]
}

export interface AskedSchema {
  name: string
  schema: Readonly<Record<string, unknown>>
  /**
   * `checkSchema` finds no problem in it, so each vendor is sent its own form. Absent in runs that began when a caller's
   * schema was sent as it is.
   */
  isOwn?: true
  /** What the caller asks of the same answer; it is checked, and no vendor is told. */
  callerSchema?: Readonly<Record<string, unknown>>
}

export type ModelCall = {
  /** As it was stored: perhaps one that is not there any more. */
  alias: string
  /** On whose behalf: people share the calls at once fairly. None of the program itself. */
  userId?: number
  system?: string
  effort?: Effort
  temperature?: number
  maxTokens?: number
  stop?: readonly string[]
  schema?: AskedSchema
  signal?: AbortSignal
  /** How deeply calls of this program are nested; sent along, as the server may be this program again. */
  depth?: number
  /** How many characters of the first turn are the same in each call of this kind, as its system prompt is; absent: not known. */
  fixedLength?: number
  /** Groups calls that begin alike at the provider; tells nothing of what they say. */
  cacheKey?: string
  /** Called before each wait for another try: what was delivered until then does not count. */
  onRetry?: (notice: RetryNotice) => void
  /** The longest wait for a provider that asked to be left alone, in milliseconds; 0: none, by default a minute. */
  waitMs?: number
  /** Told of such a wait, of each change of it, and with undefined of its end. */
  onWait?: (wait: LimitWait | undefined) => void
  /** Waits without the place that the call has among the calls at once. */
  waitAside?: (wait: () => Promise<void>) => Promise<void>
  retriesWhileUnavailable?: boolean
  /** The answer may start over: an interruption in the middle of it is retried too. */
  repeatable?: boolean
} & ({ prompt: string; messages?: undefined } | { messages: readonly ModelMessage[]; prompt?: undefined })

export interface ModelUsage {
  inputTokens: number | null
  outputTokens: number | null
  cachedTokens: number | null
  /** Whole nano-dollars; null when the price or the token counts are unknown. */
  costNanos: number | null
  /** How much more it would have cost without a cache; below zero where more was written to it than read. */
  savedNanos: number | null
}

export interface ModelResult extends ModelUsage {
  text: string
  provider: ModelProvider
  requestedAlias: string
  /** As the reply names it; the requested id when the reply names none. */
  modelId: string
  finishReason: FinishReason
  /** From the call to the first text. */
  firstTokenMs: number
  /** From the call to the end of the answer, retries and their waits included. */
  durationMs: number
  retries: number
}

/** What a streamed call yields: texts, then exactly one `done`. */
export type ModelEvent = { type: 'delta'; text: string } | ({ type: 'done' } & ModelResult)

/** What is known about an alias without calling it; never the key. */
export type ModelDescription = ModelStatus

export interface AttemptResult extends TokenCounts {
  modelId: string
  finishReason: FinishReason
  unknown?: string | undefined
}

export interface TokenCounts {
  inputTokens: number | null
  outputTokens: number | null
  /** Parts of the input: what was read from the provider's cache, and what was written to it. */
  cachedTokens: number | null
  cacheWriteTokens: number | null
}

/** One attempt at a call: yields texts as they come and the rest at the end; throws the upstream's error. */
export type Attempt = (options: {
  call: ModelCall
  /** Aborted, the attempt ends; it aborts itself at a limit, with the error to report. */
  upstream: AbortController
  streamed: boolean
}) => AsyncGenerator<string | AttemptResult, void>

export interface ModelName {
  alias: ModelAlias
  label: string
}

export interface ModelTarget extends ModelName {
  provider: ModelProvider
  modelId: string
  address: string
  keyVariable: string
  /** Cut out of every message that quotes the upstream. */
  apiKey: string
  attempt: Attempt
  ownPrice?: ModelPrice | null
  /** The same for all models of an address that are asked with one key; undefined: it has no limits. */
  pauseKey?: string
  vendor: string
}

export interface ModelLimits {
  firstByteMs: number
  silenceMs: number
  /** Longest attempt, however lively. */
  totalMs: number
  /** Longest text, in UTF-8 bytes. */
  textBytes: number
}

export const DEFAULT_LIMITS: ModelLimits = {
  firstByteMs: 300_000,
  silenceMs: 60_000,
  totalMs: 600_000,
  textBytes: 4 * 1024 * 1024,
}
