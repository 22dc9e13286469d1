import type { Database, Transaction } from '../../db/executor.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { MailsService } from './mails.service.ts'

/** Per process: a hanging mail server blocks no more. */
const MAILS_AT_ONCE = 8

/** Mails that wait to be sent, one job for each address. */
export function mailQueue({ db, jobs }: { db: Database; jobs: Jobs }) {
  const queue = jobs.queue<{ recipientId: number }>('mails')
  const addresses = jobs.queue('own-addresses')
  return {
    sendLater: (tx: Transaction, recipientId: number) =>
      queue.send(tx, { key: String(recipientId), payload: { recipientId } }),

    /** At the start: in one process of all. */
    begin: () => addresses.send(db, { key: 'unasked', payload: {} }),

    work({ mails }: { mails: Pick<MailsService, 'deliver' | 'settleUnasked'> }): void {
      addresses.work({ handle: () => mails.settleUnasked() })
      queue.work({
        concurrency: MAILS_AT_ONCE,
        handle: ({ payload, signal }) => mails.deliver({ ...payload, signal }),
      })
    },
  }
}
