/** What is counted of a call, before there is one. */
export const noUsage = {
  inputTokens: null,
  outputTokens: null,
  cachedTokens: null,
  costNanos: null,
  savedNanos: null,
  durationMs: null,
}
/** The state of a step that has not begun. */
export const waiting = {
  status: 'waiting',
  error: null,
  errorCode: null,
  retries: 0,
  limitWaitMs: null,
  finishReason: null,
  ...noUsage,
} as const
/** All of such a step beside what is planned. */
export const nothingYet = {
  ...waiting,
  fallback: null,
  provider: null,
  modelId: null,
  inputContent: null,
  inputSegments: [],
  resolved: {},
  aiResponse: null,
  messages: null,
  settings: null,
  structured: null,
  attachments: null,
  firstTokenMs: null,
  startedAt: null,
  finishedAt: null,
  isClipped: false,
}
