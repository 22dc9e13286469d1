import type { ExecutePromptReply, ModelAlias } from '@catenary/contracts'
import type { RunFailure } from './run-failure.ts'

export type RunPhase = 'idle' | 'writing' | 'done' | 'stopped' | 'failed'

/** The run in view, from the press of the button to its end. */
export interface Run {
  phase: RunPhase
  model: ModelAlias | null
  /** The answer so far. */
  text: string
  /** Estimate of what was sent, until the reply tells. */
  inputTokens: number
  startedAt: number
  endedAt: number | null
  /** Only of a run that is done. */
  reply: ExecutePromptReply | null
  /** Only of a run that failed. */
  failure: RunFailure | null
}

export const NO_RUN: Run = {
  phase: 'idle',
  model: null,
  text: '',
  inputTokens: 0,
  startedAt: 0,
  endedAt: null,
  reply: null,
  failure: null,
}
