import type { Effort, FinishReason } from '@catenary/contracts'
import type { ModelCall, ModelPart } from './model-types.ts'
import { reportedError } from './provider-error.ts'
import { type Answer, countOf, maxTokensOf, schemaFor, sumOf, textOf, turnsOf, type Wire } from './wire.ts'

interface Content {
  candidates?: {
    content?: { parts?: { text?: unknown; thought?: boolean }[] }
    finishReason?: string
    continuationToken?: string
  }[]
  promptFeedback?: { blockReason?: string }
  usageMetadata?: Partial<
    Record<
      | 'promptTokenCount'
      | 'cachedContentTokenCount'
      | 'toolUsePromptTokenCount'
      | 'candidatesTokenCount'
      | 'thoughtsTokenCount',
      unknown
    >
  >
  modelVersion?: unknown
  error?: unknown
}

const FINISH_REASONS: Record<string, FinishReason> = {
  STOP: 'stop',
  MAX_TOKENS: 'length',
  CONTINUATION: 'length',
  SAFETY: 'content_filter',
  IMAGE_SAFETY: 'content_filter',
  RECITATION: 'content_filter',
  BLOCKLIST: 'content_filter',
  PROHIBITED_CONTENT: 'content_filter',
  SPII: 'content_filter',
}

/** Google's generateContent and streamGenerateContent. */
export const geminiContent: Wire = {
  version: 'v1beta',
  headers: (apiKey) => ({ 'x-goog-api-key': apiKey }),
  path({ modelId, streamed }) {
    const model = modelId.includes('/') ? modelId : `models/${modelId}`
    return `/${model}:${streamed ? 'streamGenerateContent?alt=sse' : 'generateContent'}`
  },
  body: ({ call, modelId, continuation }) => ({
    ...contentsOf({ call, modelId }),
    generationConfig: {
      temperature: call.temperature,
      maxOutputTokens: maxTokensOf(call),
      thinkingConfig: call.effort && thinkingOf({ effort: call.effort, modelId }),
      stopSequences: call.stop,
      ...(call.schema && {
        responseMimeType: 'application/json',
        responseJsonSchema: schemaFor('gemini', call.schema),
      }),
    },
    continuationToken: continuation,
  }),
  readWhole({ body, answer }) {
    const text = read({ content: JSON.parse(body) as Content, answer })
    answer.ended = true
    return text
  },
  readEvent: ({ data, answer }) => read({ content: JSON.parse(data) as Content, answer }),
}

/** Of the models that count their thoughts in tokens: 0 is none. */
const BUDGETS: Record<Effort, number> = { none: 0, low: 1_024, medium: 8_192, high: 24_576 }
/** Of the others, which always think. */
const LEVELS: Record<Effort, string> = { none: 'MINIMAL', low: 'LOW', medium: 'MEDIUM', high: 'HIGH' }

function thinkingOf({ effort, modelId }: { effort: Effort; modelId: string }) {
  const isCounted = /gemini-2\.5/.test(modelId)
  return isCounted ? { thinkingBudget: BUDGETS[effort] } : { thinkingLevel: LEVELS[effort] }
}

function contentsOf({ call: { system = '', ...call }, modelId }: { call: ModelCall; modelId: string }) {
  const contents = turnsOf(call).map(({ role, content }) => ({
    role: role === 'assistant' ? 'model' : role,
    parts: typeof content === 'string' ? [{ text: content }] : content.map(toPart),
  }))
  if (system === '') return { contents }
  const parts = [{ text: system }]
  if (!modelId.startsWith('gemma-')) return { systemInstruction: { parts }, contents }
  // These take no instruction beside the turns.
  return { contents: [{ role: 'user', parts }, ...contents] }
}

function toPart(part: ModelPart): object {
  if (part.type === 'text') return { text: part.text }
  return { inlineData: { mimeType: part.mediaType, data: part.data } }
}

function read({ content, answer }: { content: Content; answer: Answer }): string {
  const { error, candidates, promptFeedback, usageMetadata: usage, modelVersion } = content
  if (error) throw reportedError(error)
  if (modelVersion) answer.modelId = textOf(modelVersion)
  if (usage) {
    answer.inputTokens = sumOf(countOf(usage.promptTokenCount), countOf(usage.toolUsePromptTokenCount))
    answer.cachedTokens = countOf(usage.cachedContentTokenCount) ?? 0
    answer.cacheWriteTokens = 0
    answer.outputTokens = sumOf(countOf(usage.candidatesTokenCount), countOf(usage.thoughtsTokenCount))
  }
  if (promptFeedback?.blockReason) {
    answer.finishReason = 'content_filter'
    answer.ended = true
  }
  const candidate = candidates?.[0]
  if (candidate?.finishReason) {
    answer.finishReason = FINISH_REASONS[candidate.finishReason] ?? 'other'
    answer.continuation = candidate.continuationToken
    answer.ended = true
  }
  const parts = candidate?.content?.parts ?? []
  return parts.map(({ text, thought }) => (thought ? '' : textOf(text))).join('')
}
