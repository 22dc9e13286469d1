import * as z from 'zod'
import { defineApi } from './endpoint.ts'
import { mailState, mailTest } from './schedules.ts'

export const mailsApi = defineApi('schedules', {
  'GET /api/mail': {
    who: 'user',
    summary: 'Whether mail is set up, and whom schedules may email',
    reply: mailState,
  },
})

export const ownAddressApi = defineApi('accounts', {
  'POST /api/mail/confirmation': {
    who: 'user',
    summary: 'Send the link that confirms your address again',
    description: '409 if it needs no confirmation, 429 after three emails in a day.',
    reply: mailState,
    errors: [401, 409, 429],
    activity: { kind: 'mail.asked', object: 'account' },
  },
})

export const mailTestApi = defineApi('admin', {
  'POST /api/admin/mail/test': {
    who: 'admin',
    summary: 'Send yourself a test email',
    description: 'An email that could not be sent is a result with the reason.',
    reply: mailTest,
    errors: [401, 403],
    activity: { none: 'A test mail goes to the caller and changes nothing.' },
  },
})

const html = z.string().describe('HTML.')
const page = { 200: html, 404: html, 429: html }
const link = z.strictObject({ token: z.string().max(2_000).describe('As in the email.') })

/** The paths are kept out of the log, as its readers could use the links. */
export const mailPagesApi = defineApi('schedules', {
  'GET /api/mail/confirm/{token}': {
    who: 'guest',
    summary: 'Page that asks to accept emails or confirm an address',
    params: link,
    sends: page,
    hasSecretPath: true,
  },
  'POST /api/mail/confirm/{token}': {
    who: 'guest',
    summary: 'Accept emails, or confirm an address',
    description: 'Also used by one-click buttons in mail programs (RFC 8058).',
    params: link,
    sends: page,
    hasSecretPath: true,
    activity: { kind: 'mail.confirmed', object: 'account' },
  },
  'GET /api/mail/unsubscribe/{token}': {
    who: 'guest',
    summary: 'Page that asks to stop emails',
    params: link,
    sends: page,
    hasSecretPath: true,
  },
  'POST /api/mail/unsubscribe/{token}': {
    who: 'guest',
    summary: 'Stop emails',
    description: 'Also used by one-click buttons in mail programs (RFC 8058).',
    params: link,
    sends: page,
    hasSecretPath: true,
    activity: { kind: 'mail.unsubscribed', object: 'account' },
  },
})
