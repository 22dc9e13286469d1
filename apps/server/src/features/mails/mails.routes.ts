import { mailState, mailTest } from '@catenary/contracts'
import { errorReplies } from '../../platform/http/errors/error-replies.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { adminOnly } from '../../platform/http/security/admin-only.ts'
import { requireAdmin, requireUser } from '../../platform/http/session.ts'
import type { MailsDeps } from './mails-deps.ts'
import { askOwnAddressAgain } from './operations/ask-own-address.ts'
import { sendTestMail } from './operations/deliver-mail.ts'
import { describeMail } from './operations/read-addresses.ts'

export function mailsRoutes(deps: MailsDeps): Routes {
  return (app) => {
    app.get(
      '/api/mail',
      {
        schema: {
          tags: ['schedules'],
          summary: 'Whether mail is set up, and whom schedules may mail',
          response: { 200: mailState },
        },
      },
      async (request) => describeMail(deps, await requireUser(request)),
    )

    app.post(
      '/api/mail/confirmation',
      {
        schema: {
          tags: ['accounts'],
          summary: 'Mail the link that confirms the own address once more',
          description: '409 where it needs no confirmation, 429 after three mails in a day.',
          response: { 200: mailState, ...errorReplies(401, 409, 429) },
        },
      },
      async (request) => {
        const user = await requireUser(request)
        await askOwnAddressAgain(deps, user)
        return describeMail(deps, user)
      },
    )

    app.post(
      '/api/admin/mail/test',
      {
        ...adminOnly,
        schema: {
          tags: ['admin'],
          summary: 'Send a test mail to oneself',
          description: 'A mail that could not be sent is a result, with the reason.',
          response: { 200: mailTest, ...errorReplies(401, 403) },
        },
      },
      async (request) => sendTestMail(deps, await requireAdmin(request)),
    )
  }
}
