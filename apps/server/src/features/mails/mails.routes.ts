import { mailsApi, mailTestApi, ownAddressApi } from '@catenary/contracts'
import { handlers } from '../../platform/http/endpoints.ts'
import type { Routes } from '../../platform/http/routes.ts'
import type { MailsDeps } from './mails-deps.ts'
import { askOwnAddressAgain } from './operations/ask-own-address.ts'
import { sendTestMail } from './operations/deliver-mail.ts'
import { describeMail } from './operations/read-addresses.ts'

export const mailsRoutes = (deps: MailsDeps): Routes[] => [
  handlers(mailsApi, { 'GET /api/mail': (_, { user }) => describeMail(deps, user) }),
  handlers(ownAddressApi, {
    'POST /api/mail/confirmation': async (_, { user }) => {
      await askOwnAddressAgain(deps, user)
      return describeMail(deps, user)
    },
  }),
  handlers(mailTestApi, { 'POST /api/admin/mail/test': (_, { user }) => sendTestMail(deps, user) }),
]
