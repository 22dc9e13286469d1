/** What a worker writes that has lost its run meanwhile. */
export const staleStep = {
  startedAt: new Date(),
  inputContent: 'stale',
  inputSegments: [],
  resolved: {},
  aiResponse: 'stale',
  retries: 0,
  durationMs: 1,
  provider: 'openai',
  modelId: 'fake',
  inputTokens: 1,
  outputTokens: 1,
  costNanos: null,
  firstTokenMs: 1,
}
