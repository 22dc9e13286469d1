import { onePerApp } from '../../../platform/context.ts'

export interface AskJob {
  id: number
  executionId: number
}

/** By the id of the ask: what becomes of it in time. */
export const askJobs = onePerApp(({ jobs }) => ({
  deadlines: jobs.queue<AskJob>('ask-deadlines'),
  reminders: jobs.queue<AskJob>('ask-reminders'),
}))
