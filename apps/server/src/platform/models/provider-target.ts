import type { ModelAlias } from '@catenary/contracts'
import { anthropicMessages } from './anthropic-messages.ts'
import { geminiContent } from './gemini-content.ts'
import type { ModelLimits, ModelsSettings, ModelTarget } from './model-types.ts'
import { openaiChat } from './openai-chat.ts'
import { openaiResponses } from './openai-responses.ts'
import { createProviderAttempt } from './provider-attempt.ts'
import type { ProviderPools } from './provider-reply.ts'
import type { Clock } from './retry.ts'
import { VENDORS } from './vendors.ts'
import type { Wire } from './wire.ts'

/** Prepares the way to a configured provider. */
export function createProviderTarget({
  alias,
  apiKey,
  settings,
  limits,
  pools,
  clock,
}: {
  alias: ModelAlias
  apiKey: string
  settings: ModelsSettings
  limits: ModelLimits
  pools: ProviderPools
  clock: Clock
}): ModelTarget {
  const { baseUrl, modelId } = settings[alias]
  const wire = wireOf({ alias, settings })
  return {
    alias,
    ...VENDORS[alias],
    apiKey,
    modelId,
    attempt: createProviderAttempt({
      alias,
      apiKey,
      modelId,
      baseUrl: withVersion({ baseUrl, version: wire.version }),
      // The one API of OpenAI knows no texts to stop at.
      wireFor: ({ stop }) => (wire === openaiResponses && stop !== undefined ? openaiChat : wire),
      limits,
      pools,
      clock,
    }),
  }
}

function wireOf({ alias, settings }: { alias: ModelAlias; settings: ModelsSettings }): Wire {
  switch (VENDORS[alias].provider) {
    case 'anthropic':
      return anthropicMessages
    case 'google':
      return geminiContent
    case 'openai': {
      const { wire, baseUrl } = settings.openai
      const isChat = wire === undefined ? new URL(baseUrl).host !== 'api.openai.com' : wire === 'chat'
      return isChat ? openaiChat : openaiResponses
    }
  }
}

/** A base URL that names no API version gets the usual one. */
function withVersion({ baseUrl, version }: { baseUrl: string; version: string }): string {
  const trimmed = baseUrl.replace(/\/+$/, '')
  return /\/v\d+[a-z]*$/.test(trimmed) ? trimmed : `${trimmed}/${version}`
}
