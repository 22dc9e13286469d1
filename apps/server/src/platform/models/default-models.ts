/** Newest general-purpose model id in each installed provider package's own type union, by alias. */
export const DEFAULT_MODEL_IDS = {
  claude: 'claude-sonnet-5-5',
  openai: 'gpt-6.1-sol',
  gemini: 'gemini-4-hydrogen',
} as const
