import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogle } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import type { ModelAlias } from '@catenary/contracts'
import type { ModelLimits, ModelsSettings, ModelTarget } from './model-types.ts'
import { type LanguageModel, providerAttempt } from './provider-attempt.ts'
import { createProviderFetch, type ProviderFetch, type ProviderPools } from './provider-fetch.ts'
import type { Clock } from './retry.ts'
import { VENDORS } from './vendors.ts'

/** Escapes and an event's frame make the wire longer than the text. */
const WIRE_BYTES_PER_TEXT_BYTE = 4

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
  const heldBytes = limits.textBytes * WIRE_BYTES_PER_TEXT_BYTE
  const modelWith = (silenceMs: number) =>
    createModel({
      alias,
      apiKey,
      settings,
      fetch: createProviderFetch({ pools, alias, clock, silenceMs, heldBytes }),
    })
  const { modelId } = settings[alias]
  return {
    alias,
    ...VENDORS[alias],
    apiKey,
    modelId,
    attempt: providerAttempt({
      modelId,
      streaming: modelWith(limits.silenceMs),
      whole: modelWith(limits.wholeAnswerSilenceMs),
    }),
  }
}

function createModel({
  alias,
  apiKey,
  settings,
  fetch,
}: {
  alias: ModelAlias
  apiKey: string
  settings: ModelsSettings
  fetch: ProviderFetch
}): LanguageModel {
  const { baseUrl, modelId } = settings[alias]
  if (alias === 'claude') {
    return createAnthropic({ apiKey, fetch, baseURL: withVersion({ baseUrl, version: 'v1' }) })(modelId)
  }
  if (alias === 'gemini') {
    return createGoogle({ apiKey, fetch, baseURL: withVersion({ baseUrl, version: 'v1beta' }) })(modelId)
  }
  const baseURL = withVersion({ baseUrl, version: 'v1' })
  const openai = createOpenAI({ apiKey, fetch, baseURL })
  const wire = settings.openai.wire ?? (new URL(baseURL).host === 'api.openai.com' ? 'responses' : 'chat')
  return wire === 'responses' ? openai.responses(modelId) : openai.chat(modelId)
}

/** A base URL that names no API version gets the usual one. */
function withVersion({ baseUrl, version }: { baseUrl: string; version: string }): string {
  const trimmed = baseUrl.replace(/\/+$/, '')
  return /\/v\d+[a-z]*$/.test(trimmed) ? trimmed : `${trimmed}/${version}`
}
