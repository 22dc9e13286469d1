import type { HeldRun } from '../engine/leases.repository.ts'
import type { PlannedStep } from '../engine/planned-step.ts'
import {
  lostTooOften,
  MAX_LOST_WORKERS,
  type RunFailure,
  runnerDisabled,
  stoppedBeforeStart,
} from '../engine/run-ending.ts'
import type { Claim, EndedRun, StepEnd } from './step-ends.repository.ts'

/** Why a run that was taken over ends at once, if it does. */
export function endOf({
  run,
  next,
}: {
  run: Pick<HeldRun, 'cancelRequested' | 'lostWorkers' | 'lostAt' | 'runner'>
  next: PlannedStep | undefined
}): Omit<EndedRun, keyof Claim> | undefined {
  const endAs = ({ status, message, code }: RunFailure) => ({ status, error: message, errorCode: code })
  if (run.cancelRequested) return endAs(stoppedBeforeStart)
  if (run.runner.isDisabled) return endAs(runnerDisabled)
  if (next === undefined || run.lostAt !== next.position || run.lostWorkers < MAX_LOST_WORKERS)
    return undefined
  return { ...endAs(lostTooOften), end: notCalled(next) }
}

function notCalled(step: PlannedStep): StepEnd {
  const nothing = { startedAt: null, inputContent: null, aiResponse: null, durationMs: null }
  const { systemPrompt } = step
  return {
    step,
    systemPrompt,
    messages: null,
    settings: null,
    ...nothing,
    inputSegments: [],
    resolved: {},
    retries: 0,
    limitWaitMs: 0,
  }
}
