import type { FinishReason } from '@catenary/contracts'
import type { Answer } from './wire.ts'

const WORDS: Record<FinishReason | 'failed', readonly string[]> = {
  stop: ['stop', 'stop_sequence', 'end_turn', 'eos', 'eos_token', 'complete', 'completed', 'finished'],
  length: [
    'length',
    'max_tokens',
    'max_output_tokens',
    'max_new_tokens',
    'max_length',
    'model_length',
    'model_context_window_exceeded',
    'token_limit',
    'error_limit',
    'continuation',
  ],
  content_filter: [
    'content_filter',
    'content_filtered',
    'refusal',
    'safety',
    'image_safety',
    'recitation',
    'image_recitation',
    'blocklist',
    'prohibited_content',
    'image_prohibited_content',
    'spii',
    'sensitive',
    'guardrail_intervened',
    'error_toxic',
  ],
  tool: ['tool', 'tool_calls', 'tool_call', 'tool_use', 'function_call'],
  failed: [
    'error',
    'failed',
    'failure',
    'abort',
    'aborted',
    'cancel',
    'canceled',
    'cancelled',
    'user_cancel',
    'interrupted',
    'timeout',
    'network_error',
    'server_error',
    'insufficient_system_resource',
  ],
  unknown: [],
}

const MEANINGS = new Map(
  Object.entries(WORDS).flatMap(([meaning, words]) =>
    words.map((word) => [word, meaning as keyof typeof WORDS] as const),
  ),
)

export function noteFinish(answer: Answer, reason: unknown): void {
  if (reason === undefined || reason === null || reason === '') return
  const meaning = MEANINGS.get(String(reason).toLowerCase()) ?? 'unknown'
  if (meaning === 'failed') answer.failure = String(reason)
  else answer.finishReason = meaning
  answer.ended = true
}
