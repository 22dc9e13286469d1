import type { Platform } from '../../platform/platform.ts'
import { retryWhileUnavailable } from '../../retry-while-unavailable.ts'
import { mailPagesRoutes } from './mail-pages.routes.ts'
import { createMailQueue } from './mail-queue.ts'
import { mailsRoutes } from './mails.routes.ts'
import { createMailsService } from './mails.service.ts'

export type MailsService = ReturnType<typeof createMails>['service']

/** Mail on behalf of accounts, and what its recipients say to that. */
export function createMails(platform: Platform) {
  const { closing, sendPage, settings } = platform
  const queue = createMailQueue(platform)
  const mails = createMailsService({
    ...platform,
    publicUrl: settings.publicUrl,
    registration: settings.registration,
    mailsPerHour: settings.mailsPerHour,
    rules: { recipients: settings.mailRecipients, domains: settings.mailDomains },
    sendLater: queue.sendLater,
    retryWhileUnavailable: (operation) => retryWhileUnavailable(operation, { closing }),
  })
  queue.work(mails)
  const { ask, count, describeAddresses, isSetUp, listByOccurrences, listRecipients } = mails
  return {
    service: {
      ask,
      count,
      describeAddresses,
      isSetUp,
      listByOccurrences,
      listRecipients,
      queue: mails.queue,
    },
    routes: [mailsRoutes({ mails }), mailPagesRoutes({ mails, sendPage })],
  }
}
