/** Newest general-purpose model of each vendor as of November 2026, by alias. */
export const DEFAULT_MODEL_IDS = {
  claude: 'claude-sonnet-5-5',
  openai: 'gpt-6.1-sol',
  gemini: 'gemini-4-hydrogen',
} as const
