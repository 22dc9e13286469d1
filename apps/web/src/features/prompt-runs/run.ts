import type {
  ExecutePromptReply,
  ExecutePromptRequest,
  LimitWait,
  ListedPromptRun,
  ModelAlias,
  PromptRun,
} from '@catenary/contracts'
import type { ModelPrice } from '@catenary/domain'
import { formatTime } from '../../lib/text/format-time.ts'
import type { RunFailure } from './run-failure.ts'

export type RunPhase = 'idle' | 'writing' | 'done' | 'stopped' | 'failed'

export interface Run {
  phase: RunPhase
  model: ModelAlias | null
  request: ExecutePromptRequest | null
  version: number
  executionId: number | null
  /** What its model charges; null: not known. */
  price: ModelPrice | null
  text: string
  waitsFor: LimitWait | null
  /** Estimate of what was sent, until the reply tells. */
  inputTokens: number
  missing: readonly string[]
  /** The earlier run whose inputs it was given; null: those of the form. */
  repeats: number | null
  startedAt: number
  endedAt: number | null
  reply: ExecutePromptReply | null
  failure: RunFailure | null
}

export interface StartRun {
  request: ExecutePromptRequest
  model: ModelAlias
  version: number
  inputTokens: number
  missing: readonly string[]
  repeats: number | null
}

export function unresolvedNames({ missing, reply }: Pick<Run, 'missing' | 'reply'>): string[] {
  const resolved = Object.entries(reply?.resolved ?? {})
  const had = resolved.filter(([, { error }]) => error === null).map(([name]) => name)
  return [...new Set([...missing, ...withoutValue(reply?.resolved)])].filter((name) => !had.includes(name))
}

export function withoutValue(resolved: PromptRun['resolved']): string[] {
  return Object.entries(resolved ?? {})
    .filter(([, { error }]) => error !== null)
    .map(([name]) => name)
}

export const NO_RUN: Run = {
  phase: 'idle',
  model: null,
  request: null,
  version: 0,
  executionId: null,
  price: null,
  text: '',
  waitsFor: null,
  inputTokens: 0,
  missing: [],
  repeats: null,
  startedAt: 0,
  endedAt: null,
  reply: null,
  failure: null,
}

/** Tells a run from others in its list, for people who hear a button's name without seeing where it is. */
export function runName({
  run,
  timeZone,
}: {
  run: Pick<ListedPromptRun, 'id' | 'executedAt'>
  timeZone: string
}): string {
  return `run #${run.id} of ${formatTime({ time: run.executedAt, timeZone })}`
}
