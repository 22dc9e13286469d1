import * as z from 'zod'

export const MODEL_ALIASES = ['claude', 'openai', 'gemini'] as const
export const DEFAULT_MODEL = 'claude'

export const modelAlias = z.enum(MODEL_ALIASES).describe('Which of the three models is meant.')
export type ModelAlias = z.infer<typeof modelAlias>

/** What the interface calls each alias. */
export const MODEL_LABELS: Record<ModelAlias, string> = {
  claude: 'Claude',
  openai: 'GPT-4o',
  gemini: 'Gemini',
}

/** Why a model stopped writing. */
export const FINISH_REASONS = ['stop', 'length', 'content_filter', 'tool', 'other'] as const
export const finishReason = z
  .enum(FINISH_REASONS)
  .describe('Why the model stopped. length: at a limit, so the answer is cut; content_filter: it declined.')
export type FinishReason = z.infer<typeof finishReason>

export const modelStatus = z.object({
  alias: modelAlias,
  configured: z.boolean().describe('A key is set, or the sandbox answers.'),
  provider: z.enum(['anthropic', 'openai', 'google', 'sandbox']).describe('Who answers.'),
  modelId: z.string().describe('The model that is asked for, as its provider names it.'),
})
export type ModelStatus = z.infer<typeof modelStatus>

/** GET /api/instance: what every visitor may know about this installation. */
export const instance = z.object({
  version: z.string().describe('Of this program.'),
  registration: z.enum(['open', 'closed']).describe('closed: no new accounts.'),
  sandbox: z.boolean().describe('No model is called; the sandbox answers (D2).'),
  models: z.array(modelStatus).describe('One for each alias.'),
})
export type Instance = z.infer<typeof instance>

/** What a page of the web app carries, so that its first frame needs no call. */
export const pageData = z.object({
  guest: z.boolean().describe('The browser sent no session; true spares it the question who it is.'),
  instance: instance.describe('As GET /api/instance gives it.'),
})
export type PageData = z.infer<typeof pageData>
