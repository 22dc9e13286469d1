import { onePerApp } from '../../../platform/context.ts'

export interface AskJob {
  id: number
  executionId: number
}

/** By the id of the ask: what becomes of it in time. The last the database sends, where somebody may have lost sight of a chain. */
export const askJobs = onePerApp(({ jobs }) => ({
  deadlines: jobs.queue<AskJob>('ask-deadlines'),
  reminders: jobs.queue<AskJob>('ask-reminders'),
  lost: jobs.queue<Record<string, never>>('lost-asks'),
}))
