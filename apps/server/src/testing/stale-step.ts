import type { PlannedStep } from '../features/runs/engine/planned-step.ts'

const planned: PlannedStep = {
  id: 1,
  position: 0,
  title: 'Stale',
  model: 'openai',
  promptId: null,
  promptLabel: null,
  promptVersion: null,
  template: 'stale',
  systemPrompt: '',
  outputVariableName: 'stale',
  temperature: null,
  maxTokens: null,
}

/** What a worker writes of the step at that position that has lost its run meanwhile. */
export const staleStep = (position: number) => ({
  step: { ...planned, position },
  startedAt: new Date(),
  systemPrompt: '',
  messages: null,
  settings: null,
  inputContent: 'stale',
  inputSegments: [],
  resolved: {},
  aiResponse: 'stale',
  retries: 0,
  durationMs: 1,
  provider: 'openai',
  modelId: 'fake',
  fallback: null,
  inputTokens: 1,
  outputTokens: 1,
  costNanos: null,
  limitWaitMs: 0,
  cachedTokens: null,
  savedNanos: null,
  finishReason: 'stop' as const,
  firstTokenMs: 1,
})
