import { MODELS, type ModelAlias, neededSetting } from '@catenary/contracts'
import { estimateTokens } from '@catenary/domain'
import type { ModelCall, ModelName, ModelTarget } from './model-types.ts'
import type { Clock } from './retry.ts'

const MODEL_ID = 'sandbox'
const QUOTED_LENGTH = 240
const CHUNK = /[\s\S]{1,16}/gu

/** A deterministic offline stand-in behind an alias; it says so first. */
export function createSandboxTarget({
  model,
  clock,
  chunkDelayMs,
}: {
  model: ModelName
  clock: Clock
  chunkDelayMs: number
}): ModelTarget {
  return {
    ...model,
    provider: 'sandbox',
    modelId: MODEL_ID,
    keyVariable: MODELS[model.alias].settings.apiKey,
    apiKey: '',
    async *attempt({ call, upstream: { signal }, streamed }) {
      const text = answer({ alias: model.alias, call })
      for (const chunk of streamed ? (text.match(CHUNK) ?? []) : [text]) {
        if (streamed && chunkDelayMs > 0) await clock.sleep({ ms: chunkDelayMs, signal })
        signal.throwIfAborted()
        yield chunk
      }
      yield {
        modelId: MODEL_ID,
        inputTokens: estimateTokens(`${call.system ?? ''}${request(call)}`).tokens,
        outputTokens: estimateTokens(text).tokens,
        finishReason: 'stop',
      }
    },
  }
}

function request({ messages, prompt }: ModelCall): string {
  return messages === undefined ? prompt : messages.map(({ content }) => content).join('\n')
}

function answer({ alias, call }: { alias: ModelAlias; call: ModelCall }): string {
  const lastUser = call.messages?.findLast(({ role }) => role === 'user')?.content
  const asked = (lastUser ?? request(call)).trim()
  const words = asked === '' ? 0 : asked.split(/\s+/).length
  const oneLine = asked.replace(/\s+/g, ' ')
  const beginning = [...oneLine].slice(0, QUOTED_LENGTH).join('')
  return [
    `[sandbox] No model was called. This is an offline stand-in for **${alias}**.`,
    `Your request begins:\n\n> ${beginning}${beginning.length < oneLine.length ? '…' : ''}`,
    [
      `- Model asked for: \`${alias}\``,
      `- Length of the request: ${words} ${words === 1 ? 'word' : 'words'}`,
      `- System prompt: ${call.system ? 'yes' : 'no'}`,
    ].join('\n'),
    `For real answers set \`${neededSetting(alias)}\` and start again.`,
  ].join('\n\n')
}
