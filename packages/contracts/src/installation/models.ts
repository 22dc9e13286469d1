import * as z from 'zod'

interface ModelRow {
  /** What the interface calls it, where no setting does. */
  label: string
  /** Who answers. */
  provider: string
  /** The names of the model's settings. */
  settings: { apiKey: string; baseUrl: string; modelId: string; label?: string }
  /** The setting that the model needs. */
  needs: 'apiKey' | 'baseUrl'
}

/** Every model that can be asked, in the order in which people see them. */
export const MODELS = {
  claude: {
    label: 'Claude',
    provider: 'anthropic',
    settings: { apiKey: 'ANTHROPIC_API_KEY', baseUrl: 'ANTHROPIC_BASE_URL', modelId: 'CLAUDE_MODEL' },
    needs: 'apiKey',
  },
  openai: {
    label: 'GPT-4o',
    provider: 'openai',
    settings: { apiKey: 'OPENAI_API_KEY', baseUrl: 'OPENAI_BASE_URL', modelId: 'OPENAI_MODEL' },
    needs: 'apiKey',
  },
  gemini: {
    label: 'Gemini',
    provider: 'google',
    settings: { apiKey: 'GEMINI_API_KEY', baseUrl: 'GEMINI_BASE_URL', modelId: 'GEMINI_MODEL' },
    needs: 'apiKey',
  },
  custom: {
    label: 'Custom',
    provider: 'custom',
    settings: {
      apiKey: 'CUSTOM_API_KEY',
      baseUrl: 'CUSTOM_BASE_URL',
      modelId: 'CUSTOM_MODEL',
      label: 'CUSTOM_LABEL',
    },
    needs: 'baseUrl',
  },
} as const satisfies Record<string, ModelRow>

export type ModelAlias = keyof typeof MODELS
export const MODEL_ALIASES = Object.keys(MODELS) as ModelAlias[]
export const DEFAULT_MODEL = 'claude'

/** The program's setting that a model needs. */
export function neededSetting(alias: ModelAlias): string {
  const { settings, needs } = MODELS[alias]
  return settings[needs]
}

export const modelAlias = z.enum(MODEL_ALIASES).describe('Alias of the model.')

/** Stored values stay readable when a version knows other models. */
export const storedModel = z
  .string()
  .describe('Alias of the model; it may be one that this version does not know.')

/** Why a model stopped writing. */
export const FINISH_REASONS = ['stop', 'length', 'content_filter', 'tool', 'other'] as const
export const finishReason = z
  .enum(FINISH_REASONS)
  .describe(
    'Why the model stopped. length: it reached a limit, so the answer is cut off; content_filter: it declined.',
  )
export type FinishReason = z.infer<typeof finishReason>

export const modelStatus = z.object({
  alias: modelAlias,
  label: z.string().describe('Name shown in the app.'),
  configured: z.boolean().describe('It is set up, or the sandbox answers.'),
  keyVariable: z.string().describe('Setting that holds its key.'),
  provider: z
    .enum([...MODEL_ALIASES.map((alias) => MODELS[alias].provider), 'sandbox'])
    .describe('Provider that answers.'),
  modelId: z.string().describe('Provider’s name of the model.'),
})
export type ModelStatus = z.infer<typeof modelStatus>

/** Which Catenary answers. Open to everyone: its web app, which anyone can fetch, tells one build from another as well. */
const programVersion = z.object({
  version: z.string().describe('Version of the program.'),
  commit: z.string().nullable().describe('Short hash of the source’s commit; null: not known.'),
})

/** GET /healthz */
export const health = programVersion.extend({
  status: z.literal('ok').describe('The process answers. `/readyz` says whether it can do its work.'),
})
export type Health = z.infer<typeof health>

/** GET /api/instance: what every visitor may know about this installation. */
export const instance = programVersion.extend({
  build: z.string().describe('Build of the web app that it serves; empty: it serves none.'),
  registration: z
    .enum(['first', 'open', 'closed'])
    .describe('first: nobody has an account yet, and the first one becomes admin; closed: no new accounts.'),
  sandbox: z.boolean().describe('No model is called; the sandbox answers (D2).'),
  models: z.array(modelStatus).describe('Models to choose from.'),
  mail: z.boolean().describe('Results of schedules can be mailed.'),
})
export type Instance = z.infer<typeof instance>

/** What a page of the web app carries, so that its first frame needs no call. */
export const pageData = z.object({
  guest: z.boolean().describe('The browser sent no session, so it need not ask who is signed in.'),
  instance: instance.describe('As GET /api/instance gives it.'),
})
export type PageData = z.infer<typeof pageData>
