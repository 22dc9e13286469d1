import type { User } from '@catenary/contracts'
import { AppError } from '../../errors.ts'
import type { MailMessage } from '../../platform/mail/mail-message.ts'

export const LINK_DAYS = 7
const DAY_SECONDS = 86_400

export const REASONS = {
  asked: 'Waiting for the recipient to agree',
  unconfirmed: 'This address is not confirmed yet',
  late: 'The recipient agreed too late',
  refused: 'The recipient asked for no more email',
}

export function tooManyQuestions(): AppError {
  const message = 'Too many confirmation emails were sent today. Try again tomorrow.'
  return new AppError('too_many', message, { retryAfter: DAY_SECONDS })
}

export interface OutgoingMail {
  account: User
  /** Two mails with one key are one: the second is not sent. */
  key: string
  occurrenceId?: number
  message: MailMessage
}

interface Question {
  username: string
  publicUrl: string
  confirmUrl: string
}

const EXPIRY = `The link works for ${LINK_DAYS} days.`

/** Asks an address once; it names nothing that a stranger could have written. */
export function questionMessage({ username, publicUrl, confirmUrl }: Question): MailMessage {
  return {
    subject: `May ${username} email you results?`,
    paragraphs: [
      `${username} wants to send you results of runs from Catenary at ${publicUrl}.`,
      `Nothing is sent unless you agree. ${EXPIRY} If you don’t know what this is about, ignore this email.`,
    ],
    markdown: '',
    links: [{ label: 'Yes, send them to me', href: confirmUrl }],
  }
}

export function confirmationMessage({
  username,
  publicUrl,
  confirmUrl,
  refuseUrl,
}: Question & { refuseUrl: string }): MailMessage {
  return {
    subject: 'Confirm your email address for Catenary',
    paragraphs: [
      `The account ${username} in Catenary at ${publicUrl} uses this email address. Confirm it to get email from your schedules.`,
      `${EXPIRY} If this isn’t your account, don’t confirm; it can’t email you without your confirmation.`,
    ],
    markdown: '',
    links: [
      { label: 'Confirm email address', href: confirmUrl },
      { label: 'This is not my account', href: refuseUrl },
    ],
  }
}

export function testMessage({ publicUrl }: { publicUrl: string }): MailMessage {
  return {
    subject: 'Test email from Catenary',
    paragraphs: ['This is a test: Catenary can send email.'],
    markdown: '',
    links: [{ label: 'Open Catenary', href: publicUrl }],
  }
}
