import { WEBHOOK_FAILING_DAYS, WEBHOOK_TRIES } from '@catenary/contracts'
import type { MailMessage } from '../../platform/mail/mail-message.ts'

interface Subject {
  url: string
  publicUrl: string
}

/** An address may hold secrets in its path and query. */
const hostOf = (url: string): string => URL.parse(url)?.host ?? 'your endpoint'

const links = ({ publicUrl }: Subject): MailMessage['links'] => [
  { label: 'Open your webhooks', href: `${publicUrl}/connect` },
]

export function switchedOffMessage(about: Subject, reason: 'failing' | 'gone'): MailMessage {
  const host = hostOf(about.url)
  const why =
    reason === 'gone'
      ? `Your webhook at ${host} answered that it is gone (410).`
      : `Your webhook at ${host} has not answered well for ${WEBHOOK_FAILING_DAYS} days.`
  return {
    subject: 'A webhook was switched off',
    paragraphs: [
      `${why} It was switched off, and what waited for it was dropped.`,
      'Switch it on again once it answers. What was dropped can be sent again one by one.',
    ],
    markdown: '',
    links: links(about),
  }
}

export function givenUpMessage(about: Subject, type: string): MailMessage {
  return {
    subject: 'A webhook delivery was given up',
    paragraphs: [
      `${type} could not be delivered to ${hostOf(about.url)}: ${WEBHOOK_TRIES} tries in a day failed.`,
      'You are told of the first one of a day and webhook. It can be sent again from its page.',
    ],
    markdown: '',
    links: links(about),
  }
}
