import {
  type RunDetails,
  type RunPresence,
  type RunState,
  type RunStep,
  runPresence,
  type SeenRunState,
  type StepStatus,
} from '@catenary/contracts'

type Status = RunDetails['status']

/** How far run 218 is, its steps in that order. */
export function makeRunState(status: Status, ...steps: StepStatus[]): RunState {
  const error = (status: Status | StepStatus) => (status === 'failed' ? 'It rests.' : null)
  return {
    id: 218,
    status,
    error: error(status),
    ...{ canResume: status === 'failed', canStop: true, sight: 'own' },
    steps: steps.map((status, position) => ({
      position,
      status,
      error: error(status),
      skipReason: status === 'skipped' ? 'It runs only if tickets is not empty' : null,
      retries: 0,
      finishReason: null,
      inputTokens: null,
      outputTokens: null,
      costUsd: null,
      cachedTokens: null,
      savedUsd: null,
      durationMs: null,
    })),
  }
}

/** Run 218 of chain 12 with its texts. */
export function makeRun(fields: Partial<RunDetails> = {}): RunDetails {
  return {
    id: 218,
    kind: 'chain',
    chainId: 12,
    chainName: 'Monday digest',
    chainVersion: null,
    chainLabel: null,
    status: 'running',
    trigger: 'manual',
    token: null,
    apiCall: null,
    executedAt: '2026-11-21T09:42:00.000Z',
    finishedAt: null,
    executedBy: 'ada',
    stepCount: 3,
    completedSteps: 0,
    cutSteps: 0,
    error: null,
    ...{ canResume: false, canStop: true, sight: 'own', isSeenByEditors: false },
    ...{ usesPrivateValues: false, sharing: 'none' },
    input: '',
    output: fields.status === 'completed' ? 'All told.' : null,
    result: null,
    errorCode: null,
    steps: [],
    inputTokens: null,
    outputTokens: null,
    costUsd: null,
    cachedTokens: null,
    savedUsd: null,
    durationMs: null,
    ...fields,
  }
}

/** Run 218 as others see it that may use private values of vera. */
export function makePresence(): RunPresence {
  const none = Object.fromEntries(Object.keys(runPresence.shape).map((name) => [name, null]))
  return runPresence.parse({
    ...none,
    ...{ id: 218, kind: 'chain', chainId: 12, chainVersion: 3, executedBy: 'vera', status: 'started' },
    ...{ executedAt: '2026-11-21T09:42:00.000Z', canStop: true, sight: 'presence', usesPrivateValues: true },
  })
}

/** What its followers are told. */
export function presenceState({ id, status, canStop }: RunPresence): SeenRunState {
  const nothing = { error: null, canResume: null, waitingFor: null, wouldLeave: null, steps: null }
  return { id, status, canStop, sight: 'presence', ...nothing }
}

/** A completed step of a run. */
export function makeRunStep(fields: Partial<RunStep> = {}): RunStep {
  return {
    id: 1,
    position: 0,
    status: 'completed',
    title: 'Collect',
    model: 'openai',
    modelId: 'gpt-test',
    provider: 'openai',
    finishReason: 'stop',
    fallback: null,
    promptId: null,
    promptLabel: null,
    promptVersion: null,
    outputVariableName: 'tickets',
    executedAt: '2026-11-21T09:42:00.000Z',
    inputContent: 'Group these.',
    inputSegments: [],
    resolved: {},
    attachments: [],
    systemPrompt: 'You are terse.',
    aiResponse: 'Three groups.',
    outputVariableValue: 'Three groups.',
    error: null,
    errorCode: null,
    skipReason: null,
    retries: 2,
    inputTokens: 1000,
    outputTokens: 204,
    costUsd: 0.25,
    cachedTokens: null,
    savedUsd: null,
    durationMs: 3100,
    ...fields,
  }
}
