import * as z from 'zod'
import { defineApi } from './endpoint.ts'
import { mailState, mailTest } from './schedules.ts'

export const mailsApi = defineApi('schedules', {
  'GET /api/mail': {
    who: 'user',
    summary: 'Whether mail is set up, and whom schedules may mail',
    reply: mailState,
  },
})

export const ownAddressApi = defineApi('accounts', {
  'POST /api/mail/confirmation': {
    who: 'user',
    summary: 'Mail the link that confirms the own address once more',
    description: '409 where it needs no confirmation, 429 after three mails in a day.',
    reply: mailState,
    errors: [401, 409, 429],
  },
})

export const mailTestApi = defineApi('admin', {
  'POST /api/admin/mail/test': {
    who: 'admin',
    summary: 'Send a test mail to oneself',
    description: 'A mail that could not be sent is a result, with the reason.',
    reply: mailTest,
    errors: [401, 403],
  },
})

const html = z.string().describe('HTML.')
const page = { 200: html, 404: html, 429: html }
const link = z.strictObject({ token: z.string().max(2_000).describe('As in the mail.') })

/** The paths are kept out of the log, as its readers could use the links. */
export const mailPagesApi = defineApi('schedules', {
  'GET /api/mail/confirm/{token}': {
    who: 'guest',
    summary: 'Say yes to mails, or confirm the own address: the page that asks',
    params: link,
    sends: page,
    hasSecretPath: true,
  },
  'POST /api/mail/confirm/{token}': {
    who: 'guest',
    summary: 'Say yes to mails, or confirm the own address',
    description: 'Also by one click in a mail program (RFC 8058).',
    params: link,
    sends: page,
    hasSecretPath: true,
  },
  'GET /api/mail/unsubscribe/{token}': {
    who: 'guest',
    summary: 'Say no to mails: the page that asks',
    params: link,
    sends: page,
    hasSecretPath: true,
  },
  'POST /api/mail/unsubscribe/{token}': {
    who: 'guest',
    summary: 'Say no to mails',
    description: 'Also by one click in a mail program (RFC 8058).',
    params: link,
    sends: page,
    hasSecretPath: true,
  },
})
