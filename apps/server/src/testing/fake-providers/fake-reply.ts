/** The vendors whose wire can be spoken. */
export type FakeVendor = 'anthropic' | 'openai' | 'gemini'

/** What goes wrong, after the texts that come first. */
type FakeFault =
  /** The connection is reset; with no texts, before a single byte. */
  | 'reset'
  /** The body ends properly but in the middle of the answer. */
  | 'cut'
  /** Bytes that are neither JSON nor an event. */
  | 'malformed'
  /** A 200 whose body has no byte. */
  | 'no-body'
  /** The last text is repeated forever. */
  | 'endless'
  /** A single line that never ends. */
  | 'endless-line'
  /** Nothing more comes, and the connection stays open. */
  | 'silence'
  /** The vendor's own error, inside a stream that began well. */
  | 'error-event'

/** One scripted reply. Without `status` and `fault` it is an ordinary answer. */
export interface FakeReply {
  /** The answer; an array is streamed piece by piece. Default: an echo of the request's last message. */
  text?: string | readonly string[]
  /** Wait before each piece; before the whole answer when it is not streamed. */
  delayMs?: number
  /** Awaited before the first byte of the body; the headers are out by then. */
  beforeAnyByte?: () => Promise<unknown>
  /** Awaited before each piece, to hold an answer back; once for a whole answer. */
  before?: (index: number) => Promise<unknown> | undefined
  /** An error status, in the vendor's own envelope. */
  status?: number
  /** The error's sentence. */
  message?: string
  /** The vendor's word for the error, e.g. `insufficient_quota`. */
  errorType?: string
  retryAfter?: string
  /** Other headers. */
  headers?: Record<string, string>
  /** What Gemini asks to wait, as `34.07s`. */
  retryDelay?: string
  /** The body as it stands, in place of an answer. */
  raw?: string | Uint8Array
  /** The answer comes in one piece, though a stream is asked for. */
  whole?: boolean
  /** In place of what the body is. */
  contentType?: string
  /** How a stream is written down, where not as the vendor does it. */
  rewrite?: (events: string) => string
  /** How many bytes of a stream are sent at once; default: an event. */
  bytesAtOnce?: number
  fault?: FakeFault
  /** Called once a silence has begun. */
  onSilence?: () => unknown
  modelId?: string
  inputTokens?: number
  /** Of them, those read from a cache; default: by what requests said before. */
  cachedTokens?: number
  outputTokens?: number
  finish?: 'stop' | 'length' | 'refusal'
}

/** A reply whose open fields are filled in. */
export interface FakeAnswer {
  pieces: readonly string[]
  modelId: string
  /** In all: what was read from a cache, or written to one, is part of it. */
  inputTokens: number
  cachedTokens: number
  cacheWriteTokens: number
  outputTokens: number
  finish: 'stop' | 'length' | 'refusal'
}

/** How one vendor's endpoint writes an answer. */
export interface FakeWire {
  json(answer: FakeAnswer): unknown
  opening(answer: FakeAnswer): string
  piece(options: { text: string; answer: FakeAnswer }): string
  closing(answer: FakeAnswer): string
  errorEvent(error: { message: string; errorType?: string | undefined }): string
}
