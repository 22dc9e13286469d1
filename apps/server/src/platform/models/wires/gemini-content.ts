import type { Effort } from '@catenary/contracts'
import type { ModelCall, ModelPart } from '../model-types.ts'
import { UnknownFormError } from '../provider-error.ts'
import { noteFinish } from './finish-reasons.ts'
import { carrierIn, readText } from './read-content.ts'
import { type Answer, countOf, maxTokensOf, noteModel, schemaFor, sumOf, turnsOf, type Wire } from './wire.ts'

interface Part extends Record<string, unknown> {
  text?: unknown
  thought?: unknown
}
interface Candidate {
  content?: { parts?: Part[] | null } | null
  finishReason?: unknown
  continuationToken?: unknown
  /** In no reply of today. */
  output?: unknown
  text?: unknown
}
interface Content {
  candidates?: (Candidate | null)[] | null
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

export const geminiContent: Wire = {
  headers: (apiKey) => ({ 'x-goog-api-key': apiKey }),
  path({ modelId }) {
    const model = modelId.includes('/') ? modelId : `models/${modelId}`
    return `/${model}:streamGenerateContent?alt=sse`
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
  read({ value, answer }) {
    const content = Object(value) as Content
    const { error, candidates, promptFeedback, usageMetadata } = content
    if (error) return undefined
    noteModel(answer, content.modelVersion)
    noteUsage(usageMetadata, answer)
    if (promptFeedback?.blockReason) {
      answer.finishReason = 'content_filter'
      answer.ended = true
    }
    const candidate = candidates?.[0]
    if (candidate) return readCandidate(candidate, answer)
    // With its counts, and without a candidate, it ends an answer that has none.
    if (usageMetadata) answer.ended = true
    return usageMetadata || promptFeedback || Array.isArray(candidates) ? '' : undefined
  },
}

/** Of the models that count their thoughts in tokens: 0 is none. */
const BUDGETS: Record<Effort, number> = { none: 0, low: 1_024, medium: 8_192, high: 24_576 }
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

function noteUsage(usage: Content['usageMetadata'], answer: Answer): void {
  if (!usage) return
  answer.inputTokens = sumOf(countOf(usage.promptTokenCount), countOf(usage.toolUsePromptTokenCount))
  answer.cachedTokens = countOf(usage.cachedContentTokenCount) ?? 0
  answer.cacheWriteTokens = 0
  answer.outputTokens = sumOf(countOf(usage.candidatesTokenCount), countOf(usage.thoughtsTokenCount))
}

function readCandidate(candidate: Candidate, answer: Answer): string {
  const { content, finishReason, continuationToken: token, output, text } = candidate
  answer.ended = answer.isEndSaid
  noteFinish(answer, finishReason)
  if (finishReason) {
    answer.continuation = typeof token === 'string' && token !== '' ? token : undefined
    answer.isEndSaid = true
  }
  const parts = content?.parts
  if (Array.isArray(parts)) return parts.map((part) => readPart(Object(part) as Part)).join('')
  const at = carrierIn(content) ?? carrierIn({ output, text })
  if (at !== undefined) throw new UnknownFormError(`a candidate with “${at}”`)
  return ''
}

/** Calls and runs of tools are no part of the answer; what no text can hold is an error by name. */
function readPart(part: Part): string {
  if (part.thought) return ''
  if (part.text !== undefined) return readText(part.text)
  const { functionCall, executableCode, codeExecutionResult, toolCall, ...others } = part
  const at = carrierIn(others)
  if (at !== undefined) throw new UnknownFormError(`a part with “${at}”`)
  return ''
}
