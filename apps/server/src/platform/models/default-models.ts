import type { Capabilities, EnvironmentAlias, MODELS, ProviderKind } from '@catenary/contracts'
import type { ModelPrice } from '@catenary/domain'

type ModelSetting = (typeof MODELS)[EnvironmentAlias]['settings']
type Values<Of> = Of extends unknown ? Of[keyof Of] : never
export type ModelSettingName = Values<ModelSetting>

/** Where a model is and which, where no setting says so: the newest general-purpose one of November 2026. */
export const MODEL_DEFAULTS: Record<EnvironmentAlias, { baseUrl?: string; modelId?: string }> = {
  claude: { baseUrl: 'https://api.anthropic.com', modelId: 'claude-sonnet-5-5' },
  openai: { baseUrl: 'https://api.openai.com/v1', modelId: 'gpt-6.1-sol' },
  gemini: { baseUrl: 'https://generativelanguage.googleapis.com', modelId: 'gemini-4-hydrogen' },
  custom: {},
}

export const KIND_ADDRESSES: Partial<Record<ProviderKind, string | undefined>> = {
  anthropic: MODEL_DEFAULTS.claude.baseUrl,
  openai: MODEL_DEFAULTS.openai.baseUrl,
  gemini: MODEL_DEFAULTS.gemini.baseUrl,
}

export const MODEL_SETTING_MEANINGS: Record<ModelSettingName, string> = {
  ANTHROPIC_API_KEY: 'Anthropic’s key; the model’s alias is `claude`',
  ANTHROPIC_BASE_URL: 'the address of Anthropic’s API',
  CLAUDE_MODEL: 'the model behind `claude`',
  OPENAI_API_KEY: 'OpenAI’s key; the model’s alias is `openai`',
  OPENAI_BASE_URL: 'the address of OpenAI’s API',
  OPENAI_MODEL: 'the model behind `openai`',
  GEMINI_API_KEY: 'Google’s key; the model’s alias is `gemini`',
  GEMINI_BASE_URL: 'the address of Gemini’s API',
  GEMINI_MODEL: 'the model behind `gemini`',
  CUSTOM_BASE_URL:
    'any server with OpenAI’s chat completions API, such as `http://localhost:11434/v1`; its alias is `custom`; set `CUSTOM_MODEL` too',
  CUSTOM_MODEL: 'which of that server’s models to use',
  CUSTOM_API_KEY: 'a key, if that server needs one',
  CUSTOM_LABEL: 'the model’s name in the app',
}

/** The vendors' standard prices as published in November 2026: short context, no introductory discount. */
export const LIST_PRICES: Readonly<Record<string, ModelPrice>> = {
  'claude-fable-5': usd(10, 50),
  'claude-fable-5-1': usd(10, 50),
  'claude-opus-5-5': usd(4, 20),
  'claude-opus-5': usd(5, 25),
  'claude-opus-4-8': usd(5, 25),
  'claude-opus-4-7': usd(5, 25),
  'claude-opus-4-6': usd(5, 25),
  'claude-opus-4-5': usd(5, 25),
  'claude-opus-4-1': usd(15, 75),
  'claude-sonnet-5-5': usd(2, 10),
  'claude-sonnet-5': usd(2, 10),
  'claude-sonnet-4-6': usd(3, 15),
  'claude-sonnet-4-5': usd(3, 15),
  'claude-haiku-5-5': usd(0.1, 0.5),
  'claude-haiku-4-5': usd(1, 5),
  'gpt-6-astra': usd(10, 50),
  'gpt-6.1-sol': usd(2, 10),
  'gpt-6.1-terra': usd(1, 5),
  'gpt-6-luna': usd(0.1, 0.5),
  'gpt-5.6-sol': usd(4, 20),
  'gpt-5.6-terra': usd(2, 12),
  'gpt-5.6-luna': usd(0.2, 1.2),
  'gpt-5.5': usd(5, 30),
  'gpt-5.4': usd(2.5, 15),
  'gpt-5.4-mini': usd(0.75, 4.5),
  'gpt-4.1': usd(2, 8),
  'gpt-4.1-mini': usd(0.4, 1.6),
  'gpt-4.1-nano': usd(0.1, 0.4),
  'gpt-4o': usd(2.5, 10),
  'gpt-4o-mini': usd(0.15, 0.6),
  'gemini-4-argon': usd(4, 20),
  'gemini-4-carbon': usd(4, 20),
  'gemini-4-hydrogen': usd(1.5, 7.5),
  'gemini-3.8-flash': usd(1.5, 7.5),
  'gemini-3.7-flash': usd(1.5, 7.5),
  'gemini-3.6-flash': usd(1.5, 7.5),
}

export const THINKS = /^(o\d+(?=-|$)|gpt-([5-9]|\d\d+)(?!-chat)(?=[-.]|$))/

/** What of the price of input is charged for what is read from a cache, as the vendors' prices have it in November 2026. */
export const CACHED_SHARES: readonly [RegExp, number][] = [
  [/^gpt-4o/, 0.5],
  [/^gpt-4\.1/, 0.25],
  [/^(claude|gpt|gemini)-/, 0.1],
]

const UNKNOWN: Capabilities = {
  images: false,
  documents: false,
  jsonSchema: true,
  effort: false,
  temperature: true,
  stop: true,
  caching: false,
  stripsThinking: false,
}
const READS = { images: true, documents: true }

/** What it can do otherwise, by the API that it is asked by and its id: what comes later goes before what comes earlier. */
const ABILITIES: readonly [ProviderKind, RegExp, Partial<Capabilities>][] = [
  ['anthropic', /claude-/, { ...READS, effort: true, temperature: false, caching: true }],
  ['anthropic', /claude-(sonnet|opus)-4-6|claude-opus-4-5/, { temperature: true }],
  ['anthropic', /claude-(sonnet|haiku)-4-5/, { effort: false, temperature: true }],
  [
    'anthropic',
    /claude-(sonnet|opus)-4(-[01]|-2025|@)/,
    { effort: false, temperature: true, jsonSchema: false },
  ],
  [
    'anthropic',
    /claude-(instant|v?[23])(?=$|[-.:])/,
    { effort: false, temperature: true, jsonSchema: false, documents: false },
  ],
  ['openai', /^(gpt-(4o|4\.1)|chatgpt-)/, { ...READS, caching: true }],
  ['openai', THINKS, { ...READS, effort: true, temperature: false, caching: true }],
  ['openai', /^o\d/, { stop: false }],
  ['openai', /^(o1|o3)-mini/, { images: false, documents: false }],
  // Servers of one's own often hand on what a model writes with its thoughts in it.
  ['compatible', /^/, { stripsThinking: true }],
  ['gemini', /^gemini-/, { ...READS, effort: true, caching: true }],
]

export function capabilitiesOf({ kind, modelId }: { kind: ProviderKind; modelId: string }): Capabilities {
  const known = ABILITIES.filter(([of, ids]) => of === kind && ids.test(modelId))
  return Object.assign({ ...UNKNOWN }, ...known.map(([, , abilities]) => abilities))
}

const CONTEXTS: readonly [RegExp, number][] = [
  [/^gpt-4o/, 128_000],
  [/^gpt-4\.1/, 1_047_576],
  [/claude-(sonnet|opus|haiku)-4-5/, 200_000],
]

export function contextTokensOf(modelId: string): number | null {
  return CONTEXTS.find(([ids]) => ids.test(modelId))?.[1] ?? null
}

/** Claude's count the thoughts too; what the wire asks for goes no higher. */
const OUTPUTS: readonly [RegExp, number][] = [
  [/claude-(instant|v?[23])(?=$|[-.:])/, 4_096],
  [/claude-(sonnet|opus)-4-6/, 128_000],
  [/claude-(sonnet|opus|haiku)-4-5|claude-sonnet-4[-@]/, 64_000],
  [/claude-opus-4(-[01]|-2025|@)/, 32_000],
  [/claude-/, 128_000],
  [/^gpt-4o/, 16_384],
  [/^gpt-4\.1/, 32_768],
]

export function outputTokensOf(modelId: string): number | null {
  return OUTPUTS.find(([ids]) => ids.test(modelId))?.[1] ?? null
}

function usd(inputPerMillionUsd: number, outputPerMillionUsd: number): ModelPrice {
  return { inputPerMillionUsd, outputPerMillionUsd }
}
