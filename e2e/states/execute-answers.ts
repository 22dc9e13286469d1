/** The third model answered, after a wait. */
export const fallbackReply = {
  executionId: 1,
  result: 'Dear Grace,\n\nwelcome to Harbour & Sons.',
  model: 'claude',
  modelId: 'gemini-4-hydrogen',
  provider: 'google',
  finishReason: 'stop',
  inputTokens: 214,
  outputTokens: 163,
  cachedTokens: 0,
  costUsd: 0.0021,
  savedUsd: 0,
  durationMs: 14_200,
  limitWaitMs: 12_000,
  fallback: {
    model: 'gemini',
    reason: 'Claude is not available at the moment (529).',
    failed: [
      { model: 'claude', reason: 'Claude is not available at the moment (529).' },
      {
        model: 'openai',
        reason:
          'The quota or rate limit of GPT-4o is used up (429). Check the plan or try again later. It asks callers to wait 3600 s.',
      },
    ],
  },
}
