import { MODELS, type ModelAlias } from '@catenary/contracts'
import { anthropicMessages } from './anthropic-messages.ts'
import { geminiContent } from './gemini-content.ts'
import type { ModelLimits, ModelName, ModelSettings, ModelTarget } from './model-types.ts'
import { openaiChat, openaiOwnChat } from './openai-chat.ts'
import { openaiResponses } from './openai-responses.ts'
import { createProviderAttempt } from './provider-attempt.ts'
import type { ProviderPools } from './provider-reply.ts'
import type { Clock } from './retry.ts'
import type { Wire } from './wire.ts'

/** Prepares the way to a configured provider. */
export function createProviderTarget({
  model,
  settings,
  limits,
  pools,
  clock,
}: {
  model: ModelName
  settings: ModelSettings
  limits: ModelLimits
  pools: ProviderPools
  clock: Clock
}): ModelTarget {
  const { apiKey = '', modelId } = settings
  const { provider, settings: names } = MODELS[model.alias]
  const wire = WIRES[provider](settings)
  return {
    ...model,
    provider,
    apiKey,
    keyVariable: names.apiKey,
    modelId,
    attempt: createProviderAttempt({
      model,
      apiKey,
      modelId,
      baseUrl: withVersion({ baseUrl: settings.baseUrl, version: wire.version }),
      addressVariable: names.baseUrl,
      // The one API of OpenAI knows no texts to stop at.
      wireFor: ({ stop }) => (wire === openaiResponses && stop !== undefined ? openaiOwnChat : wire),
      limits,
      pools,
      clock,
    }),
  }
}

/** Which API each provider speaks. */
const WIRES: Record<(typeof MODELS)[ModelAlias]['provider'], (settings: ModelSettings) => Wire> = {
  anthropic: () => anthropicMessages,
  openai: ({ wire, baseUrl }) => {
    const isChat = wire === undefined ? new URL(baseUrl).host !== 'api.openai.com' : wire === 'chat'
    return isChat ? openaiChat : openaiResponses
  },
  google: () => geminiContent,
  custom: () => openaiChat,
}

/** A base URL that names no API version gets the usual one. */
function withVersion({ baseUrl, version }: { baseUrl: string; version: string }): string {
  const trimmed = baseUrl.replace(/\/+$/, '')
  return /\/v\d+[a-z]*$/.test(trimmed) ? trimmed : `${trimmed}/${version}`
}
