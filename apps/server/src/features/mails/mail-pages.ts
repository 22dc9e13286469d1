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
          text: `${username}’s schedules can now email ${address}.`,
        }
      : {
          title: 'Thank you',
          text: `From now on you get the results that ${username} sends you. Each one has a link to stop them.`,
        },
  expired: ({ address }: LinkSubject): Page => ({
    title: 'This link has expired',
    text: `Get a new link by email at ${address}.`,
    button: 'Send a new link',
  }),
  sent: ({ address }: LinkSubject): Page => ({
    title: 'A new link is on its way',
    text: `Check your inbox at ${address}.`,
  }),
  used: ({ address }: LinkSubject): Page => ({
    title: 'This link has already been used',
    text: `Nothing was changed for ${address}.`,
  }),
}

export function unsubscribePage({ username, address, isOwn }: LinkSubject): Page {
  if (isOwn) {
    return {
      title: 'Not your account?',
      text: `If so, the account ${username} in Catenary will no longer be able to email ${address}.`,
      button: 'This is not my account',
    }
  }
  return {
    title: `Stop emails from ${username}?`,
    text: `${username}’s scheduled runs in Catenary will no longer email ${address}.`,
    button: 'Stop these emails',
  }
}

export function unsubscribedPage({ username }: LinkSubject): Page {
  return {
    title: 'You won’t get these emails any more',
    text: `${username}’s scheduled runs no longer email you.`,
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
  min-height: 2.75rem; margin-top: 1rem; padding: 0 1rem; border: 1px solid transparent; border-radius: 7px;
  background: var(--accent); color: var(--on-accent); font: inherit; font-size: 0.8125rem; font-weight: 500; cursor: pointer;
}
button:focus-visible { outline: 3px solid var(--ring); outline-offset: 2px; }
`
