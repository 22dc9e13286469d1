import type { Transaction } from '../../db/executor.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'

/** Per process: a hanging mail server blocks no more. */
const MAILS_AT_ONCE = 8

export type MailQueue = ReturnType<typeof createMailQueue>

interface Handlers {
  deliver: (job: { recipientId: number; signal: AbortSignal }) => Promise<void>
}

/** Mails that wait to be sent, one job for each address. */
export function createMailQueue({ jobs }: { jobs: Jobs }) {
  const queue = jobs.queue<{ recipientId: number }>('mails')
  return {
    sendLater: (tx: Transaction, recipientId: number) =>
      queue.send(tx, { key: String(recipientId), payload: { recipientId } }),

    work({ deliver }: Handlers): void {
      queue.work({
        concurrency: MAILS_AT_ONCE,
        handle: ({ payload, signal }) => deliver({ ...payload, signal }),
      })
    },
  }
}
