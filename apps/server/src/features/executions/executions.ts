export type { Executions } from './executions.service.ts'
export type { RunEnded, RunEndSubscription } from './run-ends.jobs.ts'
