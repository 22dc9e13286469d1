import type { ModelAlias } from '@catenary/contracts'

/** Where a model is and which, where no setting says so: the newest general-purpose one of November 2026. */
export const MODEL_DEFAULTS: Record<ModelAlias, { baseUrl?: string; modelId?: string }> = {
  claude: { baseUrl: 'https://api.anthropic.com', modelId: 'claude-sonnet-5-5' },
  openai: { baseUrl: 'https://api.openai.com/v1', modelId: 'gpt-6.1-sol' },
  gemini: { baseUrl: 'https://generativelanguage.googleapis.com', modelId: 'gemini-4-hydrogen' },
  custom: {},
}
