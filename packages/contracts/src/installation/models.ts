import * as z from 'zod'

interface ModelRow {
  /** What the interface calls it, where no setting does. */
  label: string
  /** Who answers. */
  provider: string
  /** The names of the model's settings. */
  settings: { apiKey: string; baseUrl: string; modelId: string; label?: string }
  /** The setting without which it is not there to be asked. */
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

/** The program's setting without which a model is not there to be asked. */
export function neededSetting(alias: ModelAlias): string {
  const { settings, needs } = MODELS[alias]
  return settings[needs]
}

export const modelAlias = z.enum(MODEL_ALIASES).describe('Which of the models is meant.')

/** What was stored stays readable when a version knows other models. */
export const storedModel = z
  .string()
  .describe('Which model was meant: an alias, also one that this version does not know.')

/** Why a model stopped writing. */
export const FINISH_REASONS = ['stop', 'length', 'content_filter', 'tool', 'other'] as const
export const finishReason = z
  .enum(FINISH_REASONS)
  .describe(
    'Why the model stopped. length: at a limit, so that the answer is cut; content_filter: it declined.',
  )
export type FinishReason = z.infer<typeof finishReason>

export const modelStatus = z.object({
  alias: modelAlias,
  label: z.string().describe('What the interface calls it.'),
  configured: z.boolean().describe('It is set up, or the sandbox answers.'),
  keyVariable: z.string().describe('The setting that sets it up.'),
  provider: z
    .enum([...MODEL_ALIASES.map((alias) => MODELS[alias].provider), 'sandbox'])
    .describe('Who answers.'),
  modelId: z.string().describe('The model that is asked for, as its provider names it.'),
})
export type ModelStatus = z.infer<typeof modelStatus>

/** Which Catenary answers. Open to everyone: its web app, which anyone can fetch, tells one build from another as well. */
const programVersion = z.object({
  version: z.string().describe('Of this program.'),
  commit: z.string().nullable().describe('Of its source, in short; null where that is not known.'),
})

/** GET /healthz */
export const health = programVersion.extend({
  status: z.literal('ok').describe('The process answers; whether it can do its work, `/readyz` says.'),
})
export type Health = z.infer<typeof health>

/** GET /api/instance: what every visitor may know about this installation. */
export const instance = programVersion.extend({
  build: z.string().describe('Of the web app that it serves; empty where it serves none.'),
  registration: z
    .enum(['first', 'open', 'closed'])
    .describe('first: nobody has an account yet, and the next one is admin; closed: no new accounts.'),
  sandbox: z.boolean().describe('No model is called; the sandbox answers (D2).'),
  models: z.array(modelStatus).describe('Those that can be chosen.'),
  mail: z.boolean().describe('Results of schedules can be mailed.'),
})
export type Instance = z.infer<typeof instance>

/** What a page of the web app carries, so that its first frame needs no call. */
export const pageData = z.object({
  guest: z.boolean().describe('The browser sent no session; true spares it the question who it is.'),
  instance: instance.describe('As GET /api/instance gives it.'),
})
export type PageData = z.infer<typeof pageData>
