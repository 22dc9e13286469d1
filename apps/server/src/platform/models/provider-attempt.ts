import type { Reach } from '../outbound/pool-connector.ts'
import { createEventReader } from './event-reader.ts'
import type { Attempt, AttemptResult, ModelCall, ModelLimits, ModelName } from './model-types.ts'
import { InterruptedError } from './provider-error.ts'
import { type ProviderPools, post, tooLong } from './provider-reply.ts'
import type { Clock } from './retry.ts'
import { type Answer, sumOf, type Wire } from './wire.ts'

/** Escapes and an event's frame make the wire longer than the text. */
const WIRE_BYTES_PER_TEXT_BYTE = 4

interface AttemptOptions {
  model: ModelName
  /** Where the API is; ends with its version. */
  baseUrl: string
  /** Named in the error for a page that is no API. */
  addressVariable: string
  apiKey: string
  modelId: string
  /** The API to ask by. */
  wireFor: (call: ModelCall) => Wire
  limits: ModelLimits
  pools: ProviderPools
  reach: Reach | 'any'
  clock: Clock
}

/** An attempt at a provider's model: streamed, or in one piece, which costs less. */
export function createProviderAttempt({
  model,
  baseUrl,
  addressVariable,
  apiKey,
  modelId,
  wireFor,
  limits,
  pools,
  reach,
  clock,
}: AttemptOptions): Attempt {
  const { origin, pathname } = new URL(baseUrl)
  const heldMost = limits.textBytes * WIRE_BYTES_PER_TEXT_BYTE

  return async function* attempt({ call, upstream, streamed }, continuation?: string): ReturnType<Attempt> {
    const wire = wireFor(call)
    const answer: Answer = {
      modelId: undefined,
      inputTokens: null,
      outputTokens: null,
      cachedTokens: null,
      cacheWriteTokens: null,
      finishReason: 'other',
      refused: false,
      ended: false,
      continuation: undefined,
    }
    const reply = post({
      model,
      clock,
      upstream,
      pool: pools.of(origin, reach),
      path: pathname + wire.path({ modelId, streamed }),
      headers: {
        'content-type': 'application/json',
        'user-agent': 'catenary',
        ...wire.headers(apiKey),
        ...(call.depth !== undefined && { 'x-catenary-depth': `${call.depth}` }),
      },
      body: JSON.stringify(wire.body({ call, modelId, streamed, continuation })),
      limits,
      addressVariable,
    })
    const events = createEventReader()
    let whole = ''
    for await (const text of reply) {
      let piece = ''
      try {
        if (!streamed) whole += text
        else for (const data of events.read(text)) piece += wire.readEvent({ data, answer })
      } finally {
        // Also what came before an event that fails.
        if (piece !== '') yield piece
      }
      if (whole.length + events.held() > heldMost) throw tooLong({ model, bytes: heldMost })
    }
    if (!streamed) {
      const piece = wire.readWhole({ body: whole, answer })
      if (piece !== '') yield piece
    }
    if (!answer.ended) throw new InterruptedError()
    const { finishReason, refused, inputTokens, outputTokens, cachedTokens, cacheWriteTokens } = answer
    const result: AttemptResult = {
      modelId: answer.modelId || modelId,
      inputTokens,
      outputTokens,
      cachedTokens,
      cacheWriteTokens,
      finishReason: refused && finishReason === 'stop' ? 'content_filter' : finishReason,
    }
    if (answer.continuation === undefined) {
      yield result
      return
    }
    for await (const part of attempt({ call, upstream, streamed }, answer.continuation)) {
      if (typeof part === 'string') yield part
      else {
        yield {
          ...part,
          inputTokens: sumOf(inputTokens, part.inputTokens),
          outputTokens: sumOf(outputTokens, part.outputTokens),
          cachedTokens: sumOf(cachedTokens, part.cachedTokens),
          cacheWriteTokens: sumOf(cacheWriteTokens, part.cacheWriteTokens),
        }
      }
    }
  }
}
