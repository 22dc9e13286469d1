import type { FastifyReply } from 'fastify'
import * as z from 'zod'
import { AppError } from '../../errors.ts'
import type { OwnPage, SendOwnPage } from '../../platform/http/own-page.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { confirmPage, renderPage, unsubscribedPage, unsubscribePage } from './mail-pages.ts'
import type { MailsDeps } from './mails-deps.ts'
import { confirmLink, describeLink, unsubscribe } from './operations/answer-link.ts'

const tags = ['schedules']
const html = z.string().describe('HTML.')
const params = z.strictObject({ token: z.string().max(2_000).describe('As in the mail.') })
type Params = z.infer<typeof params>
const response = { 200: html, 404: html, 429: html }
/** Kept out of the log, as its readers could use the link. */
const config = { hasSecretPath: true }

/** Pages for links in mails, for people without an account: opening one changes nothing until a button is pressed. */
export function mailPagesRoutes(deps: MailsDeps, sendPage: SendOwnPage): Routes {
  const pages = [
    {
      kind: 'confirm',
      summary: 'Say yes to mails, or confirm the own address',
      asks: async (token: string) => renderPage(confirmPage(await describeLink(deps, token))),
      acts: async (token: string) => renderPage(confirmPage(await confirmLink(deps, token))),
    },
    {
      kind: 'unsubscribe',
      summary: 'Say no to mails',
      asks: async (token: string) => renderPage(unsubscribePage(await describeLink(deps, token))),
      acts: async (token: string) => renderPage(unsubscribedPage(await unsubscribe(deps, token))),
    },
  ]
  return (app) => {
    void app.register(async (scope) => {
      // What mail programs and forms send; the link says it all.
      for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data']) {
        scope.addContentTypeParser(type, { parseAs: 'string' }, (_request, _body, done) => done(null))
      }

      for (const { kind, summary, asks, acts } of pages) {
        const url = `/api/mail/${kind}/:token`
        scope.get<{ Params: Params }>(
          url,
          { config, schema: { tags, summary: `${summary}: the page that asks`, params, response } },
          (request, reply) => show({ sendPage, reply }, () => asks(request.params.token)),
        )
        scope.post<{ Params: Params }>(
          url,
          {
            config,
            schema: {
              tags,
              summary,
              params,
              response,
              description: 'Also by one click in a mail program (RFC 8058).',
            },
          },
          (request, reply) => show({ sendPage, reply }, () => acts(request.params.token)),
        )
      }
    })
  }
}

async function show(
  { sendPage, reply }: { sendPage: SendOwnPage; reply: FastifyReply },
  make: () => Promise<OwnPage>,
): Promise<FastifyReply> {
  try {
    return sendPage({ ...(await make()), reply })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (error.code === 'too_many') {
      const text = 'No more mail was sent to this address.'
      return sendPage({ ...renderPage({ title: error.message, text }), reply, status: 429 })
    }
    const text = 'It may be cut off, or its account is gone.'
    return sendPage({ ...renderPage({ title: error.message, text }), reply, status: 404 })
  }
}
