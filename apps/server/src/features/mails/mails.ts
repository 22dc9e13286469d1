import type { Executor, Transaction } from '../../db/executor.ts'
import { slot } from '../../platform/context.ts'
import type { Platform } from '../../platform/platform.ts'
import type { OutgoingMail } from './mail-messages.ts'
import { mailPagesRoutes } from './mail-pages.routes.ts'
import { createMailQueue } from './mail-queue.ts'
import { mailMetrics } from './mails.metrics.ts'
import { listOccurrenceMails } from './mails.repository.ts'
import { mailsRoutes } from './mails.routes.ts'
import type { MailsDeps } from './mails-deps.ts'
import { deliverMail } from './operations/deliver-mail.ts'
import { askAddresses, queueMail } from './operations/queue-mail.ts'
import {
  type Account,
  type Addressed,
  countUnsentMails,
  describeAddresses,
  listRecipients,
} from './operations/read-addresses.ts'

export type MailsService = ReturnType<typeof createMails>['service']
export const mailsSlot = slot<MailsService>()

/** Mail on behalf of accounts, and the consent of its recipients. */
export function createMails(platform: Platform) {
  const { metrics, sendPage, settings } = platform
  const deps: MailsDeps = {
    ...platform,
    publicUrl: settings.publicUrl,
    registration: settings.registration,
    rules: { recipients: settings.mailRecipients, domains: settings.mailDomains },
    mailsPerHour: settings.mailsPerHour,
    queue: createMailQueue(platform),
    startedAt: platform.now(),
  }
  deps.queue.work({ deliver: (job) => deliverMail(deps, job) })
  if (metrics !== undefined) mailMetrics(deps, metrics)
  return {
    service: {
      isSetUp: deps.mail.isSetUp,
      ask: (tx: Transaction, wanted: Addressed) => askAddresses(deps, tx, wanted),
      queue: (tx: Transaction, mail: OutgoingMail & { addresses: string[] }) => queueMail(deps, tx, mail),
      count: () => countUnsentMails(deps),
      describeAddresses: (executor: Executor, accounts: Account[]) =>
        describeAddresses(deps, executor, accounts),
      listRecipients: (executor: Executor, wanted: Addressed) => listRecipients(deps, executor, wanted),
      listByOccurrences: listOccurrenceMails,
    },
    routes: [...mailsRoutes(deps), mailPagesRoutes(deps, sendPage)],
  }
}
