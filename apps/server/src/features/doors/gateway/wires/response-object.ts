import { isCut } from '@catenary/contracts'
import type { RunAnswer } from '../../../runs/runs.ts'
import type { GatewayError } from '../gateway-error.ts'
import { openaiErrorFields } from './openai-common.ts'
import { type ChainRequest, choiceOf, type ReplyHead, usageOf } from './wire.ts'

type ItemStatus = 'in_progress' | 'completed' | 'incomplete'

export interface ResponseState {
  head: Pick<ReplyHead, 'id' | 'createdAt' | 'model' | 'bestChain'> & { request: Pick<ChainRequest, 'echo'> }
  status: ItemStatus | 'queued' | 'failed' | 'cancelled'
  output: object[]
  answer?: RunAnswer
  error?: GatewayError
  completedAt?: Date | undefined
}

export function responseObject({
  head,
  status,
  output,
  answer,
  error,
  completedAt = new Date(),
}: ResponseState) {
  return {
    id: `resp_${head.id}`,
    object: 'response',
    created_at: Math.floor(head.createdAt.getTime() / 1_000),
    status,
    completed_at: status === 'completed' ? Math.floor(completedAt.getTime() / 1_000) : null,
    background: false,
    error: error === undefined ? null : failureOf(error),
    frequency_penalty: 0,
    incomplete_details: answer === undefined ? null : incompleteDetails(answer),
    instructions: null,
    max_output_tokens: null,
    max_tool_calls: null,
    metadata: {},
    model: head.model,
    output,
    parallel_tool_calls: true,
    presence_penalty: 0,
    previous_response_id: null,
    prompt: null,
    prompt_cache_key: null,
    reasoning: { effort: null, summary: null },
    safety_identifier: null,
    service_tier: 'default',
    store: false,
    temperature: 1,
    text: { format: { type: 'text' } },
    tool_choice: 'auto',
    tools: [],
    top_logprobs: 0,
    top_p: 1,
    truncation: 'disabled',
    usage: answer === undefined ? null : usage(answer),
    ...head.request.echo,
    ...choiceOf(head),
  }
}

function failureOf(error: GatewayError): { code: string; message: string } {
  // Of the codes that the vendor documents the one after which neither Codex nor the AI SDK asks again.
  if (error.kind === 'chain_failed' || error.kind === 'run_waiting')
    return { code: 'invalid_prompt', message: error.message }
  const { code, message } = openaiErrorFields(error)
  return { code: code ?? 'server_error', message }
}

function incompleteDetails({ finishReason }: RunAnswer): { reason: string } | null {
  if (isCut({ finishReason })) return { reason: 'max_output_tokens' }
  return finishReason === 'content_filter' ? { reason: 'content_filter' } : null
}

export const statusOf = (answer: RunAnswer) =>
  incompleteDetails(answer) === null ? 'completed' : 'incomplete'

interface MessageItem {
  head: Pick<ReplyHead, 'id'>
  text: string
  status: ItemStatus
}

export function messageItem({ head, text, status }: MessageItem) {
  const content = status === 'in_progress' ? [] : [textPart(text)]
  return { id: `msg_${head.id}`, type: 'message', status, role: 'assistant', content }
}

export const textPart = (text: string) => ({ type: 'output_text', text, annotations: [], logprobs: [] })

function usage(answer: RunAnswer) {
  const { input, output, cached } = usageOf(answer)
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cached, cache_write_tokens: 0 },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input + output,
  }
}
