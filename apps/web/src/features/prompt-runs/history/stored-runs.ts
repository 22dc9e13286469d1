import type { StartRun } from '../run.ts'

export interface StoredRun {
  executionId: number
  wanted: StartRun
  startedAt: number
}

const keyOf = (promptId: number) => `catenary.runs.${promptId}`

export function readStoredRuns(promptId: number): StoredRun[] {
  try {
    // Only this page writes there.
    return JSON.parse(sessionStorage.getItem(keyOf(promptId)) ?? '[]') as StoredRun[]
  } catch {
    return []
  }
}

export function storeRun({ promptId, run }: { promptId: number; run: StoredRun }): void {
  write({ promptId, runs: [...without({ promptId, executionId: run.executionId }), run] })
}

export function forgetRun(of: { promptId: number; executionId: number }): void {
  write({ promptId: of.promptId, runs: without(of) })
}

function without({ promptId, executionId }: { promptId: number; executionId: number }): StoredRun[] {
  return readStoredRuns(promptId).filter((run) => run.executionId !== executionId)
}

function write({ promptId, runs }: { promptId: number; runs: StoredRun[] }): void {
  try {
    if (runs.length > 0) sessionStorage.setItem(keyOf(promptId), JSON.stringify(runs))
    else sessionStorage.removeItem(keyOf(promptId))
  } catch {
    // Without it a reload shows the run in the history only.
  }
}
