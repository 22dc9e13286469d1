import { addressOf } from '@catenary/contracts'
import { escapeHtml } from '../../platform/http/html.ts'
import type { OwnPage } from '../../platform/http/own-page.ts'
import { NOTICE_STYLE } from './drive-page-style.ts'

const DRIVE_ICON =
  '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M22 12H2"/><path d="M5.45 5.11 2 12v6a2 2 0 0 0 2 2h16a2 2 0 0 0 2-2v-6l-3.45-6.89A2 2 0 0 0 16.76 4H7.24a2 2 0 0 0-1.79 1.11z"/><path d="M6 16h.01"/><path d="M10 16h.01"/></svg>'

export interface Notice {
  title: string
  text: string
  actions?: { label: string; href: string }[]
}

export function renderNotice({ title, text, actions = [] }: Notice): OwnPage {
  const links = actions.map(
    ({ label, href }, index) =>
      `<a class="button${index === 0 ? ' primary' : ''}" href="${escapeHtml(href)}">${escapeHtml(label)}</a>`,
  )
  const body = `<main class="notice">
<div class="icon">${DRIVE_ICON}</div>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(text)}</p>
${links.length === 0 ? '' : `<div class="actions">${links.join('')}</div>`}
</main>`
  return { title, body, style: NOTICE_STYLE }
}

export function connectHref({ returnTo, popup = false }: { returnTo: string; popup?: boolean }): string {
  return addressOf('GET /api/auth/google', { query: { returnTo, popup: popup ? '1' : undefined } })
}
