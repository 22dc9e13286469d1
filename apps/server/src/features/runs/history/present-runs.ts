import type {
  ChainRunPresence,
  PresenceStatus,
  RunPresence,
  SeenLatestRun,
  SeenRunState,
} from '@catenary/contracts'
import type { RunView } from './run-access.ts'
import type { RunRow, RunStateRow } from './runs.sql.ts'

const DAY_MS = 86_400_000

/** Told by its age alone: its end would tell how long the private value took (D68). */
export function presenceStatusOf(executedAt: Date): PresenceStatus {
  return Date.now() - executedAt.getTime() < DAY_MS ? 'started' : 'ended'
}

interface Present {
  run: Pick<RunRow, 'id' | 'chainVersion' | 'executedAt' | 'executedBy'> & { chainId: number | null }
  view: Pick<RunView, 'canStop'>
}

function toPresence({ run, view }: Present) {
  return {
    id: run.id,
    chainId: run.chainId ?? 0,
    chainVersion: run.chainVersion,
    status: presenceStatusOf(run.executedAt),
    executedAt: run.executedAt.toISOString(),
    executedBy: run.executedBy,
    canStop: view.canStop,
    sight: 'presence',
    usesPrivateValues: true,
  } as const
}

const NO_SUMMARY = {
  chainName: null,
  chainLabel: null,
  trigger: null,
  token: null,
  apiCall: null,
  finishedAt: null,
  stepCount: null,
  completedSteps: null,
  cutSteps: null,
  cut: null,
  error: null,
  canResume: null,
  sharing: null,
  isSeenByEditors: null,
  rating: null,
  waitingFor: null,
  from: null,
  inputTokens: null,
  outputTokens: null,
  cachedTokens: null,
  costUsd: null,
  savedUsd: null,
  durationMs: null,
} as const

export function toChainRunPresence(present: Present): ChainRunPresence {
  return { ...NO_SUMMARY, ...toPresence(present) }
}

export function toRunPresence(present: Present & { run: Pick<RunRow, 'kind'> }): RunPresence {
  const { kind } = present.run
  const nothing = {
    input: null,
    output: null,
    result: null,
    errorCode: null,
    finishReason: null,
    textsDeleted: null,
    wouldLeave: null,
    steps: null,
  }
  return { ...NO_SUMMARY, ...nothing, ...toPresence(present), kind }
}

export function toPresenceState({
  run,
  view,
}: {
  run: Pick<RunStateRow['run'], 'id' | 'executedAt'>
  view: Pick<RunView, 'canStop'>
}): SeenRunState {
  const { id, executedAt } = run
  const status = presenceStatusOf(executedAt)
  const nothing = { error: null, canResume: null, waitingFor: null, wouldLeave: null, steps: null }
  return { id, status, canStop: view.canStop, sight: 'presence', ...nothing }
}

export function toLatestPresence({
  chainId,
  id,
  executedAt,
}: {
  chainId: number
  id: number
  executedAt: Date
}): SeenLatestRun {
  const nothing = { stepCount: null, completedSteps: null, finishedAt: null, waitingFor: null }
  return {
    chainId,
    id,
    status: presenceStatusOf(executedAt),
    executedAt: executedAt.toISOString(),
    ...nothing,
  }
}
