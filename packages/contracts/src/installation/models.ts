import * as z from 'zod'
import { defineApi } from '../endpoint.ts'

export const PROVIDER_KINDS = {
  anthropic: { label: 'Anthropic', provider: 'anthropic' },
  openai: { label: 'OpenAI', provider: 'openai' },
  gemini: { label: 'Google Gemini', provider: 'google' },
  compatible: { label: 'OpenAI-compatible server', provider: 'custom' },
} as const

export type ProviderKind = keyof typeof PROVIDER_KINDS

interface ModelRow {
  label: string
  kind: ProviderKind
  settings: { apiKey: string; baseUrl: string; modelId: string; label?: string }
  needs: 'apiKey' | 'baseUrl'
}

export const MODELS = {
  claude: {
    label: 'Claude',
    kind: 'anthropic',
    settings: { apiKey: 'ANTHROPIC_API_KEY', baseUrl: 'ANTHROPIC_BASE_URL', modelId: 'CLAUDE_MODEL' },
    needs: 'apiKey',
  },
  openai: {
    label: 'GPT-4o',
    kind: 'openai',
    settings: { apiKey: 'OPENAI_API_KEY', baseUrl: 'OPENAI_BASE_URL', modelId: 'OPENAI_MODEL' },
    needs: 'apiKey',
  },
  gemini: {
    label: 'Gemini',
    kind: 'gemini',
    settings: { apiKey: 'GEMINI_API_KEY', baseUrl: 'GEMINI_BASE_URL', modelId: 'GEMINI_MODEL' },
    needs: 'apiKey',
  },
  custom: {
    label: 'Custom',
    kind: 'compatible',
    settings: {
      apiKey: 'CUSTOM_API_KEY',
      baseUrl: 'CUSTOM_BASE_URL',
      modelId: 'CUSTOM_MODEL',
      label: 'CUSTOM_LABEL',
    },
    needs: 'baseUrl',
  },
} as const satisfies Record<string, ModelRow>

export type EnvironmentAlias = keyof typeof MODELS
export const MODEL_ALIASES = Object.keys(MODELS) as EnvironmentAlias[]
export const DEFAULT_MODEL = 'claude'

export function neededSetting(alias: EnvironmentAlias): string {
  const { settings, needs } = MODELS[alias]
  return settings[needs]
}

export const MODEL_ALIAS_MAX = 32
const ALIAS_PATTERN = /^[a-z][a-z0-9.-]*$/
const ALIAS = 'An alias begins with a letter, followed by letters, digits, dots and hyphens, all lowercase'

/** The installation alone knows which aliases there are: `GET /api/models` lists them. */
export const modelAlias = z
  .string()
  .max(MODEL_ALIAS_MAX, `${ALIAS}: ${MODEL_ALIAS_MAX} characters at most`)
  .regex(ALIAS_PATTERN, ALIAS)
  .describe('Alias of the model, as listed by `GET /api/models`.')
export type ModelAlias = z.infer<typeof modelAlias>

/** Stored values stay readable when a model has gone. */
export const storedModel = z.string().describe('Alias of the model, which may no longer exist.')

export const FINISH_REASONS = ['stop', 'length', 'content_filter', 'tool', 'unknown'] as const
export const finishReason = z
  .enum(FINISH_REASONS)
  .describe(
    'Why the model stopped. length: it reached a limit, so the answer is cut off; content_filter: it declined; unknown: its provider gave an unknown reason, so the answer may be cut off.',
  )
export type FinishReason = z.infer<typeof finishReason>

/** Reasons for which an answer is not whole, or may not be (D71). */
export const CUT_REASONS = ['length', 'unknown'] as const
type CutReason = (typeof CUT_REASONS)[number]
interface Ended {
  finishReason?: FinishReason | null | undefined
}

export const isCut = ({ finishReason: reason }: Ended): boolean => reason === 'length' || reason === 'unknown'

/** Marks what was cut, or may have been; absent when whole. */
export const cut = z
  .literal(true)
  .optional()
  .describe('The answer is, or may be, cut off: finishReason says which. Absent: it is complete.')

export const markCut = (ended: Ended) => (isCut(ended) ? { cut: true as const } : {})

/** As its last answer ended, or as the first answer that was cut. */
export function finishOf(steps: readonly Ended[]): FinishReason | null {
  const last = steps.at(-1)?.finishReason ?? null
  return last === 'content_filter' ? last : (steps.find(isCut)?.finishReason ?? last)
}

/** As the first of its answers that was cut. */
export function markCutRun(steps: readonly Ended[]): { cut?: true; finishReason?: CutReason } {
  const found = steps.find(isCut)
  return found === undefined ? {} : { cut: true, finishReason: found.finishReason as CutReason }
}

interface CapabilityTexts {
  says: string
  label: string
  word: string
}

export const CAPABILITIES = {
  images: { says: 'It reads images.', label: 'Reads images', word: 'images' },
  documents: { says: 'It reads PDF documents.', label: 'Reads PDF documents', word: 'PDF' },
  jsonSchema: {
    says: 'It answers in JSON by a schema.',
    label: 'Answers in JSON by a schema',
    word: 'JSON schema',
  },
  effort: { says: 'How much it thinks can be set.', label: 'Accepts an effort', word: 'effort' },
  temperature: { says: 'It accepts a temperature.', label: 'Accepts a temperature', word: 'temperature' },
  stop: { says: 'It accepts stop texts.', label: 'Accepts stop texts', word: 'stop texts' },
  caching: {
    says: 'Its provider caches the beginning of calls.',
    label: 'Caches the beginning of calls',
    word: 'caching',
  },
  stripsThinking: {
    says: 'Thoughts at the beginning of its answers, in <think>…</think>, are removed.',
    label: 'Remove thoughts at the beginning of an answer (<think>)',
    word: 'thoughts removed',
  },
} as const satisfies Record<string, CapabilityTexts>

export type Capability = keyof typeof CAPABILITIES

export function eachCapability<Value>(make: (capability: Capability) => Value): Record<Capability, Value> {
  const all = Object.keys(CAPABILITIES) as Capability[]
  return Object.fromEntries(all.map((one) => [one, make(one)])) as Record<Capability, Value>
}

export const capabilities = z.object(eachCapability((one) => z.boolean().describe(CAPABILITIES[one].says)))
export type Capabilities = z.infer<typeof capabilities>

export const modelStatus = z.object({
  alias: modelAlias,
  label: z.string().describe('Name shown in the app.'),
  configured: z.boolean().describe('It is set up, or the sandbox answers.'),
  keyVariable: z.string().describe('Setting that holds its key.'),
  provider: z
    .enum([...Object.values(PROVIDER_KINDS).map(({ provider }) => provider), 'sandbox'])
    .describe('Provider that answers.'),
  modelId: z.string().describe('The provider’s name for the model.'),
  capabilities: capabilities.optional().describe('What it can do besides answering in text.'),
  contextTokens: z.int().nullish().describe('Maximum number of input tokens; null: unknown.'),
  outputTokens: z.int().nullish().describe('Maximum number of output tokens; null: unknown.'),
})
export type ModelStatus = z.infer<typeof modelStatus>

/** Open to everyone: anyone can fetch the web app, which tells builds apart as well. */
const programVersion = z.object({
  version: z.string().describe('Version of the program.'),
  commit: z.string().nullable().describe('Short hash of the source’s commit; null: unknown.'),
})

export const health = programVersion.extend({
  status: z.literal('ok').describe('The process is running. `/readyz` says whether it is ready to work.'),
})
export type Health = z.infer<typeof health>

export const instance = programVersion.extend({
  build: z.string().describe('Build of the web app that it serves; empty: none.'),
  registration: z
    .enum(['first', 'open', 'closed'])
    .describe(
      'first: nobody has an account yet, and the first to register becomes admin; closed: no new accounts.',
    ),
  sandbox: z.boolean().describe('No model is called; the sandbox answers (D2).'),
  models: z.array(modelStatus).describe('Models to choose from.'),
  mail: z.boolean().describe('Results of schedules can be emailed.'),
  readOnly: z
    .enum(['moving', 'moved'])
    .nullable()
    .describe(
      'moving: the data is being moved to another database, and writes are refused for a few minutes; moved: it has been moved; null: writes are accepted.',
    ),
})
export type Instance = z.infer<typeof instance>

/** What a page of the web app carries, so that its first frame needs no call. */
export const pageData = z.object({
  guest: z.boolean().describe('The browser sent no session, so there is no need to ask who is signed in.'),
  instance: instance.describe('The same as GET /api/instance.'),
})
export type PageData = z.infer<typeof pageData>

export const instanceApi = defineApi('instance', {
  'GET /api/instance': {
    who: 'guest',
    summary: 'About this installation: version, models, registration',
    reply: instance,
  },
})
