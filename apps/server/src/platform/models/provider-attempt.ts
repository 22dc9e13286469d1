import type { createOpenAI } from '@ai-sdk/openai'
import type { Attempt, AttemptResult, FinishReason, ModelCall } from './model-types.ts'

/** The packages' model object, as all three declare it. */
export type LanguageModel = ReturnType<ReturnType<typeof createOpenAI>['chat']>

type CallOptions = Parameters<LanguageModel['doStream']>[0]
type Finish = {
  finishReason: { unified: string }
  usage: { inputTokens: { total: number | undefined }; outputTokens: { total: number | undefined } }
}

/** The stream or the answer ended without the upstream saying that it was complete. */
class InterruptedError extends Error {
  readonly code = 'ANSWER_INTERRUPTED'
}

/** An attempt at a provider's model: streamed, or in one piece, which costs a third of the processor time. */
export function providerAttempt({
  modelId,
  streaming,
  whole,
}: {
  modelId: string
  streaming: LanguageModel
  whole: LanguageModel
}): Attempt {
  return async function* attempt({ call, signal, streamed }) {
    if (streamed) {
      yield* streamParts({ model: streaming, modelId, call, signal })
      return
    }
    const answer = await whole.doGenerate(callOptions({ model: whole, call, signal }))
    for (const part of answer.content) if (part.type === 'text' && part.text !== '') yield part.text
    yield result({
      finish: answer,
      modelId: answer.response?.modelId ?? modelVersion(answer.response?.body) ?? modelId,
    })
  }
}

async function* streamParts({
  model,
  modelId,
  call,
  signal,
}: {
  model: LanguageModel
  modelId: string
  call: ModelCall
  signal: AbortSignal
}): AsyncGenerator<string | AttemptResult, void> {
  const includeRawChunks = model.provider.startsWith('google')
  const { stream } = await model.doStream({ ...callOptions({ model, call, signal }), includeRawChunks })
  let named: string | undefined
  let finish: Finish | undefined
  const reader = stream.getReader()
  for (;;) {
    const { done, value: part } = await reader.read()
    if (done) break
    if (part.type === 'text-delta' && part.delta !== '') yield part.delta
    else if (part.type === 'response-metadata') named = part.modelId ?? named
    else if (part.type === 'raw') named ??= modelVersion(part.rawValue)
    else if (part.type === 'finish') finish = part
    else if (part.type === 'error') throw part.error
  }
  if (finish === undefined) throw new InterruptedError()
  yield result({ finish, modelId: named ?? modelId })
}

function result({ finish, modelId }: { finish: Finish; modelId: string }): AttemptResult {
  return {
    modelId,
    inputTokens: finish.usage.inputTokens.total ?? null,
    outputTokens: finish.usage.outputTokens.total ?? null,
    finishReason: toFinishReason(finish.finishReason.unified),
  }
}

function toFinishReason(unified: string): FinishReason {
  if (unified === 'interrupted' || unified === 'error') throw new InterruptedError()
  return unified === 'stop' || unified === 'length' || unified === 'content-filter' ? unified : 'other'
}

/** The Gemini package does not pass on which model answered; its raw reply names it. */
function modelVersion(raw: unknown): string | undefined {
  const version =
    typeof raw === 'object' && raw !== null && 'modelVersion' in raw ? raw.modelVersion : undefined
  return typeof version === 'string' ? version : undefined
}

function callOptions({
  model,
  call,
  signal,
}: {
  model: LanguageModel
  call: ModelCall
  signal: AbortSignal
}): CallOptions {
  const messages = call.messages ?? [{ role: 'user' as const, content: call.prompt }]
  const prompt: CallOptions['prompt'] = call.system ? [{ role: 'system', content: call.system }] : []
  for (const { role, content } of messages) {
    prompt.push(role === 'system' ? { role, content } : { role, content: [{ type: 'text', text: content }] })
  }
  return {
    prompt,
    temperature: call.temperature,
    maxOutputTokens: call.maxTokens,
    abortSignal: signal,
    ...(model.provider.endsWith('.responses') && { providerOptions: { openai: { store: false } } }),
  }
}
