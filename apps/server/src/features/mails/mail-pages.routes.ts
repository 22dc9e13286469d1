import type { FastifyReply } from 'fastify'
import * as z from 'zod'
import { AppError } from '../../errors.ts'
import { escapeHtml } from '../../platform/http/html.ts'
import type { SendOwnPage } from '../../platform/http/own-page.ts'
import type { Routes } from '../../platform/http/routes.ts'
import type { MailsService } from './mails.service.ts'

const tags = ['schedules']
const html = z.string().describe('HTML.')
const params = z.strictObject({ token: z.string().max(2_000).describe('As in the mail.') })
const response = { 200: html, 404: html }

const STYLE = `
body { background: var(--surface); }
main { max-width: 28rem; margin: 0 auto; padding: 4rem 1rem; text-align: center; }
h1 { margin: 0 0 0.5rem; font-size: 1rem; font-weight: 600; }
p { margin: 0; font-size: 0.8125rem; color: var(--text-2); text-wrap: balance; overflow-wrap: anywhere; }
button {
  min-height: 2.75rem; margin-top: 1rem; padding: 0 1rem; border: 0; border-radius: 7px; background: var(--accent);
  color: var(--on-accent); font: inherit; font-size: 0.8125rem; font-weight: 500; cursor: pointer;
}
button:focus-visible { outline: 3px solid color-mix(in oklab, var(--accent) 40%, transparent); outline-offset: 2px; }
`

interface Page {
  title: string
  text: string
  /** Posts to the page's own address. */
  button?: string
}

const ANSWERS = {
  unsubscribe: {
    ask: ({ username, address }: About): Page => ({
      title: `Stop mails from ${username}?`,
      text: `${username}’s scheduled runs in Catenary will write to ${address} no more.`,
      button: 'Stop these mails',
    }),
    done: ({ username }: Pick<About, 'username'>): Page => ({
      title: 'You get no more of these mails',
      text: `${username}’s scheduled runs do not write to you any more.`,
    }),
  },
  confirm: {
    ask: ({ username, address }: About): Page => ({
      title: `Get results from ${username}?`,
      text: `${username} wants to send results of scheduled runs in Catenary to ${address}.`,
      button: 'Yes, send them to me',
    }),
    done: ({ username }: Pick<About, 'username'>): Page => ({
      title: 'Thank you',
      text: `From now on you get the results that ${username} sends you. Each of them has a link to stop them.`,
    }),
  },
}

interface About {
  username: string
  address: string
}

interface MailPagesDeps {
  mails: Pick<MailsService, 'confirm' | 'unsubscribe' | 'describeLink'>
  sendPage: SendOwnPage
}

/** Where links in mails lead people who have no account: what a link shows acts only once it is asked to. */
export function mailPagesRoutes({ mails, sendPage }: MailPagesDeps): Routes {
  return (app) => {
    void app.register(async (scope) => {
      // What mail programs and forms send; the link says it all.
      for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data']) {
        scope.addContentTypeParser(type, { parseAs: 'string' }, (_request, _body, done) => done(null))
      }

      for (const kind of ['unsubscribe', 'confirm'] as const) {
        const { ask, done } = ANSWERS[kind]
        const url = `/api/mail/${kind}/:token`
        const summary = kind === 'confirm' ? 'Say yes to mails' : 'Say no to mails'

        scope.get<{ Params: z.infer<typeof params> }>(
          url,
          { schema: { tags, summary: `${summary}: the page that asks`, params, response } },
          (request, reply) =>
            show({ sendPage, reply }, async () => ask(await mails.describeLink(request.params.token))),
        )

        scope.post<{ Params: z.infer<typeof params> }>(
          url,
          {
            schema: {
              tags,
              summary,
              description: 'Also by one click in a mail program (RFC 8058).',
              params,
              response,
            },
          },
          (request, reply) =>
            show({ sendPage, reply }, async () => done(await mails[kind](request.params.token))),
        )
      }
    })
  }
}

async function show(
  { sendPage, reply }: { sendPage: SendOwnPage; reply: FastifyReply },
  make: () => Promise<Page>,
): Promise<FastifyReply> {
  try {
    return sendPage({ ...render(await make()), reply })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return sendPage({
      ...render({ title: error.message, text: 'It may be cut off, or its account is gone.' }),
      reply,
      status: 404,
    })
  }
}

function render({ title, text, button }: Page) {
  const form = button === undefined ? '' : `<form method="post"><button>${escapeHtml(button)}</button></form>`
  const body = `<main><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p>${form}</main>`
  return { title, body, style: STYLE, postsToItself: button !== undefined }
}
