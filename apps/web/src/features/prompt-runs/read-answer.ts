import type { ExecutePromptReply, ExecutePromptRequest, LimitWait } from '@catenary/contracts'
import type { ModelPrice } from '@catenary/domain'
import { executePrompt, readPromptRun, watchPromptRun } from './prompt-runs.queries.ts'
import { ConnectionLostError, RunFailedError, RunStoppedError } from './run-failure.ts'

export interface AnswerReader {
  signal: AbortSignal
  onStart: (known: { executionId: number; price: ModelPrice | null }) => void
  onWait: (wait: LimitWait | null) => void
  onText: (text: string) => void
  onAnew: () => void
}

export async function readAnswer({
  request,
  signal,
  onStart,
  onWait,
  onText,
}: { request: ExecutePromptRequest } & AnswerReader): Promise<ExecutePromptReply> {
  for await (const message of executePrompt({ request, signal })) {
    if (message.event === 'start') onStart({ price: null, ...message.data })
    if (message.event === 'wait') onWait(message.data.waitsFor ?? null)
    if (message.event === 'delta') onText(message.data.text)
    if (message.event === 'error') throw new RunFailedError(message.data.error)
    if (message.event === 'done') return message.data
  }
  throw new ConnectionLostError()
}

export async function resumeAnswer({
  promptId,
  id,
  signal,
  onWait,
  onText,
  onAnew,
}: { promptId: number; id: number } & AnswerReader): Promise<ExecutePromptReply> {
  for await (const message of watchPromptRun({ id, signal })) {
    if (message.event === 'error') throw new ConnectionLostError()
    if (message.event === 'end') return replyOf(await readPromptRun({ promptId, id, signal }))
    if (message.event === 'state') onWait(message.data.steps?.[0]?.waitsFor ?? null)
    if (message.event !== 'delta') continue
    if (message.data.from === 0) onAnew()
    onText(message.data.text)
  }
  throw new ConnectionLostError()
}

function replyOf({
  id,
  status,
  error,
  aiResponse,
  modelId,
  provider,
  finishReason,
  ...known
}: Awaited<ReturnType<typeof readPromptRun>>): ExecutePromptReply {
  if (status === 'cancelled') throw new RunStoppedError()
  if (status !== 'completed') throw new RunFailedError(error ?? 'The run failed.')
  return {
    ...known,
    executionId: id,
    result: aiResponse,
    modelId: modelId ?? '',
    provider: provider ?? '',
    finishReason: finishReason ?? 'stop',
  }
}
