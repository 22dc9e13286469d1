import { PROVIDER_KINDS, type ProviderKind } from '@catenary/contracts'
import { anthropicMessages } from './anthropic-messages.ts'
import { geminiContent } from './gemini-content.ts'
import type { ModelLimits, ModelSettings, ModelSource, ModelTarget } from './model-types.ts'
import { openaiChat, openaiOwnChat } from './openai-chat.ts'
import { openaiResponses } from './openai-responses.ts'
import { createProviderAttempt } from './provider-attempt.ts'
import type { ProviderPools } from './provider-reply.ts'
import type { Clock } from './retry.ts'
import type { Wire } from './wire.ts'

/** Prepares the way to a configured provider. */
export function createProviderTarget({
  source,
  limits,
  pools,
  clock,
}: {
  source: ModelSource
  limits: ModelLimits
  pools: ProviderPools
  clock: Clock
}): ModelTarget {
  const { alias, label, kind, settings, keyName, addressName, reach, ownPrice } = source
  const { apiKey = '', modelId } = settings
  const model = { alias, label }
  const wire = WIRES[kind](settings)
  return {
    ...model,
    provider: PROVIDER_KINDS[kind].provider,
    apiKey,
    keyVariable: keyName,
    modelId,
    ownPrice,
    pauseKey: `${settings.baseUrl.replace(/\/+$/, '')} ${apiKey}`,
    vendor: VENDORS[PROVIDER_KINDS[kind].provider] ?? model.label,
    attempt: createProviderAttempt({
      model,
      apiKey,
      modelId,
      baseUrl: withVersion({ baseUrl: settings.baseUrl, version: wire.version }),
      addressVariable: addressName,
      // The one API of OpenAI knows no texts to stop at.
      wireFor: ({ stop }) => (wire === openaiResponses && stop !== undefined ? openaiOwnChat : wire),
      limits,
      pools,
      reach,
      clock,
    }),
  }
}

/** Which API each kind of provider speaks. */
export const WIRES: Record<ProviderKind, (settings: ModelSettings) => Wire> = {
  anthropic: () => anthropicMessages,
  openai: ({ wire, baseUrl }) => {
    const isChat = wire === undefined ? new URL(baseUrl).host !== 'api.openai.com' : wire === 'chat'
    return isChat ? openaiChat : openaiResponses
  },
  gemini: () => geminiContent,
  compatible: () => openaiChat,
}

/** What people call them; a server of one's own has the name of its model. */
const VENDORS: Record<string, string> = { anthropic: 'Anthropic', openai: 'OpenAI', google: 'Google' }

/** A base URL that names no API version gets the usual one. */
export function withVersion({ baseUrl, version }: { baseUrl: string; version: string }): string {
  const trimmed = baseUrl.replace(/\/+$/, '')
  return /\/v\d+[a-z]*$/.test(trimmed) ? trimmed : `${trimmed}/${version}`
}
