import { estimateTokens } from '@catenary/domain'
import type { ModelCall, ModelSource, ModelTarget } from './model-types.ts'
import type { Clock } from './retry.ts'
import { answerInForm } from './sandbox/answer.ts'
import { answerBySchema } from './sandbox/json.ts'
import { textOfTurn } from './wires/wire.ts'

const MODEL_ID = 'sandbox'
const QUOTED_LENGTH = 240
const CHUNK_LENGTH = 16
/** However long an answer is, so many texts at most stream it. */
const CHUNKS = 75

export function createSandboxTarget({
  source: { alias, label, keyName, neededName },
  clock,
  chunkDelayMs,
}: {
  source: ModelSource
  clock: Clock
  chunkDelayMs: number
}): ModelTarget {
  return {
    alias,
    label,
    provider: 'sandbox',
    modelId: MODEL_ID,
    address: '',
    keyVariable: keyName,
    apiKey: '',
    vendor: 'Sandbox',
    async *attempt({ call, upstream: { signal }, streamed }) {
      const text = answer({ alias, neededName, call })
      for (const chunk of streamed ? chunksOf(text) : [text]) {
        if (streamed && chunkDelayMs > 0) await clock.sleep({ ms: chunkDelayMs, signal })
        signal.throwIfAborted()
        yield chunk
      }
      yield {
        modelId: MODEL_ID,
        inputTokens: estimateTokens(`${call.system ?? ''}${request(call)}`).tokens,
        outputTokens: estimateTokens(text).tokens,
        cachedTokens: 0,
        cacheWriteTokens: 0,
        finishReason: 'stop',
      }
    },
  }
}

function request({ messages, prompt }: ModelCall): string {
  return messages === undefined ? prompt : messages.map(textOfTurn).join('\n')
}

function answer({
  alias,
  neededName,
  call,
}: Pick<ModelSource, 'alias' | 'neededName'> & { call: ModelCall }): string {
  if (call.schema !== undefined) return answerBySchema(call.schema.schema)
  const lastUser = call.messages?.findLast(({ role }) => role === 'user')
  const asked = (lastUser === undefined ? request(call) : textOfTurn(lastUser)).trim()
  const inForm = answerInForm({ text: asked, system: call.system ?? '' })
  const opening = `[sandbox] No model was called. This is an offline stand-in for **${alias}**`
  if (inForm !== undefined) return `${opening}, in the form and the words of your prompt.\n\n${inForm}`
  const words = asked === '' ? 0 : asked.split(/\s+/).length
  const line = asked.replace(/\s+/g, ' ')
  const beginning = [...line.slice(0, QUOTED_LENGTH * 2)].slice(0, QUOTED_LENGTH).join('')
  return [
    `${opening}.`,
    `Your request begins:\n\n> ${beginning}${beginning.length < line.length ? '…' : ''}`,
    [
      `- Model asked for: \`${alias}\``,
      `- Length of the request: ${words} ${words === 1 ? 'word' : 'words'}`,
      `- System prompt: ${call.system ? 'yes' : 'no'}`,
    ].join('\n'),
    `For real answers, set a key in Settings → Models, or \`${neededName}\` where Catenary runs.`,
  ].join('\n\n')
}

function chunksOf(text: string): string[] {
  const length = Math.max(CHUNK_LENGTH, Math.ceil(text.length / CHUNKS))
  return text.match(new RegExp(`[\\s\\S]{1,${length}}`, 'gu')) ?? []
}
