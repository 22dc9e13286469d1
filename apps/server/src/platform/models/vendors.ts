import type { ModelAlias } from '@catenary/contracts'
import type { ModelProvider } from './model-types.ts'

/** Who answers for an alias and which variable holds its key. */
export const VENDORS = {
  claude: { provider: 'anthropic', keyVariable: 'ANTHROPIC_API_KEY' },
  openai: { provider: 'openai', keyVariable: 'OPENAI_API_KEY' },
  gemini: { provider: 'google', keyVariable: 'GEMINI_API_KEY' },
} as const satisfies Record<ModelAlias, { provider: ModelProvider; keyVariable: string }>
