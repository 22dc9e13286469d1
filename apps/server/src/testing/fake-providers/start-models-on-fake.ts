import type { ModelAlias } from '@catenary/contracts'
import type { ModelsSettings } from '../../platform/models/model-types.ts'
import { createModels, type Models, type ModelsOptions } from '../../platform/models/models.ts'
import { type FakeProvider, startFakeProvider } from './fake-provider.ts'
import type { FakeVendor } from './fake-reply.ts'
import { createManualClock } from './manual-clock.ts'

/** Each wire that a provider call can take. */
export const FAKE_WIRES = [
  { name: 'anthropic', vendor: 'anthropic', alias: 'claude', wire: undefined },
  { name: 'openai responses', vendor: 'openai', alias: 'openai', wire: 'responses' },
  { name: 'openai chat', vendor: 'openai', alias: 'openai', wire: 'chat' },
  { name: 'gemini', vendor: 'gemini', alias: 'gemini', wire: undefined },
] as const satisfies {
  name: string
  vendor: FakeVendor
  alias: ModelAlias
  wire: 'chat' | 'responses' | undefined
}[]

/** A key that must show up nowhere but in the request's own header. */
export const CANARY_KEY = 'canary-key-7d1f0c9e'

/** The models on one fake provider, on a clock that stands still unless the test brings another. */
export interface ModelsOnFake {
  fake: FakeProvider
  models: Models
  waits: number[]
  /** Lets time pass for every limit under way. */
  passTime(ms: number): void
  logged: unknown[]
  close(): Promise<void>
}

/** Starts a fake for one wire and models that call it; the other aliases have no key. */
export async function startModelsOnFake({
  wire: { vendor, alias, wire },
  baseUrl,
  modelId = 'fake-model',
  prices,
  hasCustom = false,
  customKey = CANARY_KEY,
  ...options
}: {
  wire: (typeof FAKE_WIRES)[number]
  /** Default: the new fake's. */
  baseUrl?: string
  modelId?: string
  prices?: ModelsSettings['prices']
  /** A second model on it, of the alias `custom`. */
  hasCustom?: boolean
  /** Its key; default: the same. */
  customKey?: string
} & Partial<Omit<ModelsOptions, 'settings'>>): Promise<ModelsOnFake> {
  const fake = await startFakeProvider({ vendor })
  const none = { baseUrl: 'http://127.0.0.1:9', modelId: 'none' }
  const settings: ModelsSettings = { claude: none, openai: none, gemini: none, sandbox: 'off', prices }
  settings[alias] = { apiKey: CANARY_KEY, baseUrl: baseUrl ?? fake.url, modelId, wire }
  if (hasCustom) settings.custom = { apiKey: customKey, baseUrl: baseUrl ?? fake.url, modelId, wire: 'chat' }
  const clock = createManualClock()
  const logged: unknown[] = []
  const models = createModels({
    settings,
    log: { warn: (details, message) => void logged.push(details, message) },
    clock,
    random: () => 0.5,
    ...options,
  })
  const close = async () => {
    await models.close()
    await fake.close()
  }
  return { fake, models, waits: clock.waits, passTime: clock.pass, logged, close }
}
