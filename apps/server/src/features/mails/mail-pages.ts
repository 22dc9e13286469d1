import { escapeHtml } from '../../platform/http/html.ts'
import type { OwnPage } from '../../platform/http/own-page.ts'
import type { LinkSubject } from './mail-links.ts'

export interface Page {
  title: string
  text: string
  button?: string
}

export function confirmPage(subject: LinkSubject & { state: keyof typeof ANSWERS | 'open' }): Page {
  const { username, address, isOwn, state } = subject
  if (state !== 'open') return ANSWERS[state](subject)
  if (isOwn) {
    return {
      title: 'Confirm this email address?',
      text: `The account ${username} in Catenary uses ${address}. Confirm it only if this is your account.`,
      button: 'Confirm email address',
    }
  }
  return {
    title: `Get results from ${username}?`,
    text: `${username} wants to send results of scheduled runs in Catenary to ${address}.`,
    button: 'Yes, send them to me',
  }
}

const ANSWERS = {
  confirmed: ({ username, address, isOwn }: LinkSubject): Page =>
    isOwn
      ? {
          title: 'Email address confirmed',
          text: `The schedules of ${username} can now write to ${address}.`,
        }
      : {
          title: 'Thank you',
          text: `From now on you get the results that ${username} sends you. Each of them has a link to stop them.`,
        },
  expired: ({ address }: LinkSubject): Page => ({
    title: 'This link has expired',
    text: `Get a mail with a new link at ${address}.`,
    button: 'Send a new link',
  }),
  sent: ({ address }: LinkSubject): Page => ({
    title: 'A new link is on its way',
    text: `Look into the mails of ${address}.`,
  }),
  used: ({ address }: LinkSubject): Page => ({
    title: 'This link was used already',
    text: `Nothing was changed for ${address}.`,
  }),
}

export function unsubscribePage({ username, address, isOwn }: LinkSubject): Page {
  if (isOwn) {
    return {
      title: 'Is this not your account?',
      text: `Then the account ${username} in Catenary gets no more mail at ${address}.`,
      button: 'This is not my account',
    }
  }
  return {
    title: `Stop mails from ${username}?`,
    text: `Scheduled runs of ${username} in Catenary will no longer write to ${address}.`,
    button: 'Stop these mails',
  }
}

export function unsubscribedPage({ username }: LinkSubject): Page {
  return {
    title: 'You get no more of these mails',
    text: `Scheduled runs of ${username} no longer write to you.`,
  }
}

export function renderPage({ title, text, button }: Page): OwnPage {
  const form = button === undefined ? '' : `<form method="post"><button>${escapeHtml(button)}</button></form>`
  const body = `<main><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p>${form}</main>`
  return { title, body, style: STYLE, postsToItself: button !== undefined }
}

const STYLE = `
body { background: var(--surface); }
main { max-width: 28rem; margin: 0 auto; padding: 4rem 1rem; text-align: center; }
h1 { margin: 0 0 0.5rem; font-size: 1rem; font-weight: 600; }
p { margin: 0; font-size: 0.8125rem; color: var(--text-2); text-wrap: balance; overflow-wrap: anywhere; }
button {
  min-height: 2.75rem; margin-top: 1rem; padding: 0 1rem; border: 0; border-radius: 7px; background: var(--accent);
  color: var(--on-accent); font: inherit; font-size: 0.8125rem; font-weight: 500; cursor: pointer;
}
button:focus-visible { outline: 3px solid var(--ring); outline-offset: 2px; }
`
