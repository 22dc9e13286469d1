import { DEPTH_HEADER } from '@catenary/contracts'
import type { ProviderAddress } from '@catenary/domain'
import type { Reach } from '../outbound/pool-connector.ts'
import { AttemptFailure } from './attempt-failure.ts'
import type { Attempt, AttemptResult, ModelCall, ModelLimits, ModelName, TokenCounts } from './model-types.ts'
import { BrokenOffError, InterruptedError } from './provider-error.ts'
import { type ProviderPools, post, tooLong } from './provider-reply.ts'
import type { Clock } from './retry.ts'
import { createReplyReader } from './wires/reply-reader.ts'
import { createThoughtStripper } from './wires/strip-thoughts.ts'
import { type Answer, maxTokensOf, newAnswer, sumOf, type Wire } from './wires/wire.ts'

/** Escapes and an event's frame make the wire longer than the text. */
const WIRE_BYTES_PER_TEXT_BYTE = 4
/** How often an API may go on in another reply; each is paid for. */
const REPLIES_MAX = 8
/** How much a model may write in all of them, where the call says no less. */
const REPLIES_TOKENS_MAX = 500_000

interface AttemptOptions {
  model: ModelName
  address: ProviderAddress
  addressVariable: string
  apiKey: string
  modelId: string
  wireFor: (call: ModelCall) => Wire
  /** Thoughts that an answer begins with are no part of it. */
  stripsThinking: boolean
  limits: ModelLimits
  pools: ProviderPools
  reach: Reach | 'any'
  clock: Clock
}

/** An attempt at a provider's model. It is asked for a stream, and read in the form in which it answers. */
export function createProviderAttempt({
  model,
  address,
  addressVariable,
  apiKey,
  modelId,
  wireFor,
  stripsThinking,
  limits,
  pools,
  reach,
  clock,
}: AttemptOptions): Attempt {
  const heldMost = limits.textBytes * WIRE_BYTES_PER_TEXT_BYTE

  /** One reply, which may not be all of the answer. */
  async function* readReply(
    { call, upstream }: Pick<Parameters<Attempt>[0], 'call' | 'upstream'>,
    { answer, continuation }: { answer: Answer; continuation: string | undefined },
  ): AsyncGenerator<string, void> {
    const wire = wireFor(call)
    const reply = post({
      model,
      clock,
      upstream,
      pool: pools.of(address.origin, reach),
      path: address.pathOf(wire.path({ modelId })),
      headers: {
        'content-type': 'application/json',
        'accept-encoding': 'identity',
        'user-agent': 'catenary',
        ...wire.headers(apiKey),
        ...(call.depth !== undefined && { [DEPTH_HEADER]: `${call.depth}` }),
      },
      body: JSON.stringify(wire.body({ call, modelId, continuation })),
      limits,
      addressVariable,
    })
    const reader = createReplyReader({ wire, answer })
    try {
      for await (const text of reply) {
        try {
          reader.read(text)
        } finally {
          // Also what came before an event that fails.
          const piece = reader.take()
          if (piece !== '') yield piece
        }
        if (reader.held() > heldMost) throw tooLong({ model, bytes: heldMost })
      }
    } catch (error) {
      // Whatever follows the end of an answer takes nothing from it.
      if (!answer.ended || call.signal?.aborted) throw error
    }
    if (!answer.ended) reader.end()
    const last = reader.take()
    if (last !== '') yield last
    if (answer.failure !== undefined) throw new BrokenOffError(answer.failure)
    if (!answer.ended) throw new InterruptedError()
  }

  return async function* attempt(options): ReturnType<Attempt> {
    const { call } = options
    const tokensMost = maxTokensOf(call) ?? REPLIES_TOKENS_MAX
    let counts: TokenCounts | undefined
    let continuation: string | undefined
    const thoughts = stripsThinking ? createThoughtStripper() : undefined
    for (let replies = 1; ; replies++) {
      const answer = newAnswer()
      try {
        for await (const piece of readReply(options, { answer, continuation })) {
          const text = thoughts === undefined ? piece : thoughts.take(piece)
          if (text !== '') yield text
          if ((thoughts?.held() ?? 0) > limits.textBytes) throw tooLong({ model, bytes: limits.textBytes })
        }
      } catch (error) {
        throw new AttemptFailure({ cause: error, result: toResult(answer, sum(counts, answer)) })
      }
      counts = sum(counts, answer)
      continuation = answer.continuation
      const isFull = replies >= REPLIES_MAX || (counts.outputTokens ?? 0) >= tokensMost
      if (continuation !== undefined && !isFull) continue
      const result = toResult(answer, counts)
      // Thoughts that were cut hold no answer; else, without an end, they are all there is.
      const rest = result.finishReason === 'length' ? undefined : thoughts?.end()
      if (rest) yield rest
      yield continuation === undefined ? result : { ...result, finishReason: 'length' }
      return
    }
  }

  function toResult(
    { finishReason, refused, unknown, ...answer }: Answer,
    counts: TokenCounts,
  ): AttemptResult {
    return {
      modelId: answer.modelId || modelId,
      ...counts,
      finishReason: refused && finishReason === 'stop' ? 'content_filter' : finishReason,
      unknown,
    }
  }
}

function sum(before: TokenCounts | undefined, answer: TokenCounts): TokenCounts {
  const add = (name: keyof TokenCounts) => sumOf(before?.[name] ?? null, answer[name])
  return {
    inputTokens: add('inputTokens'),
    outputTokens: add('outputTokens'),
    cachedTokens: add('cachedTokens'),
    cacheWriteTokens: add('cacheWriteTokens'),
  }
}
