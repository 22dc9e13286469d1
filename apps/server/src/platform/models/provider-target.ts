import { PROVIDER_KINDS, type ProviderKind } from '@catenary/contracts'
import { readProviderAddress } from '@catenary/domain'
import type { ModelLimits, ModelSettings, ModelSource, ModelTarget } from './model-types.ts'
import { createProviderAttempt } from './provider-attempt.ts'
import type { ProviderPools } from './provider-reply.ts'
import type { Clock } from './retry.ts'
import { anthropicMessages } from './wires/anthropic-messages.ts'
import { geminiContent } from './wires/gemini-content.ts'
import { openaiChat, openaiOwnChat } from './wires/openai-chat.ts'
import { openaiResponses } from './wires/openai-responses.ts'
import type { Wire } from './wires/wire.ts'

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
  const { alias, label, kind, settings, keyName, addressName, reach, ownPrice, capabilities } = source
  const { apiKey = '', modelId } = settings
  const model = { alias, label }
  const wire = WIRES[kind](settings)
  const address = readProviderAddress({ kind, baseUrl: settings.baseUrl })
  return {
    ...model,
    address: address.origin + address.pathOf(wire.path({ modelId })),
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
      address,
      addressVariable: addressName,
      // The one API of OpenAI knows no texts to stop at.
      wireFor: ({ stop }) => (wire === openaiResponses && stop !== undefined ? openaiOwnChat : wire),
      stripsThinking: capabilities.stripsThinking,
      limits,
      pools,
      reach,
      clock,
    }),
  }
}

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
