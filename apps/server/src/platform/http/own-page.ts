import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { FastifyReply } from 'fastify'
import { escapeHtml } from './html.ts'
import { createNonce } from './security/security-headers.ts'

const STYLESHEET = /<link rel="stylesheet"[^>]* href="(\/assets\/[^"]+\.css)"/g

export interface OwnPage {
  title: string
  body: string
  style: string
  script?: string
  /** It has a form, which is sent to the page's own address. */
  postsToItself?: boolean
  status?: number
}

export type SendOwnPage = (answer: OwnPage & { reply: FastifyReply }) => FastifyReply

/** Sends small pages of the server's own in the look of the web app, whose stylesheet and theme they take. */
export function createSendOwnPage({ webDirectory }: { webDirectory?: string | undefined }): SendOwnPage {
  const stylesheets = listStylesheets(webDirectory)
  return ({ reply, title, body, style, script, postsToItself = false, status = 200 }) => {
    const nonce = createNonce()
    const theme = stylesheets.length === 0 ? '' : `<script src="/theme.js" nonce="${nonce}"></script>`
    const links = stylesheets.map((href) => `<link rel="stylesheet" href="${escapeHtml(href)}">`)
    const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="#ffffff">
<title>${escapeHtml(title)} – Catenary</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
${theme}${links.join('')}
<style nonce="${nonce}">${style}</style>
</head>
<body>
${body}
${script === undefined ? '' : `<script nonce="${nonce}">${script}</script>`}
</body>
</html>
`
    return reply
      .code(status)
      .type('text/html; charset=utf-8')
      .headers({
        'cache-control': 'no-store',
        'content-security-policy': policy({ nonce, formAction: postsToItself ? "'self'" : "'none'" }),
        // A window that went to another site and came back keeps its opener only so.
        'cross-origin-opener-policy': 'unsafe-none',
      })
      .send(page)
  }
}

function policy({ nonce, formAction }: { nonce: string; formAction: string }): string {
  const directives = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "font-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    `form-action ${formAction}`,
    "frame-ancestors 'none'",
  ]
  return directives.join(';')
}

function listStylesheets(webDirectory: string | undefined): string[] {
  const index = path.join(webDirectory ?? '', 'index.html')
  if (webDirectory === undefined || !existsSync(index)) return []
  return [...readFileSync(index, 'utf8').matchAll(STYLESHEET)].map(([, href = '']) => href)
}
