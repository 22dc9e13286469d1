import { mailPagesApi } from '@catenary/contracts'
import type { FastifyReply } from 'fastify'
import { AppError } from '../../errors.ts'
import { handlers } from '../../platform/http/endpoints.ts'
import type { OwnPage, SendOwnPage } from '../../platform/http/own-page.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { confirmPage, renderPage, unsubscribedPage, unsubscribePage } from './mail-pages.ts'
import type { MailsDeps } from './mails-deps.ts'
import { confirmLink, describeLink, unsubscribe } from './operations/answer-link.ts'

/** Pages for links in mails, for people without an account: opening one changes nothing until a button is pressed. */
export function mailPagesRoutes(deps: MailsDeps, sendPage: SendOwnPage): Routes {
  interface Call {
    params: { token: string }
    reply: FastifyReply
  }
  const shows =
    (make: (token: string) => Promise<Parameters<typeof renderPage>[0]>) =>
    (_: unknown, { params, reply }: Call) =>
      show({ sendPage, reply }, async () => renderPage(await make(params.token)))
  const pages = handlers(mailPagesApi, {
    'GET /api/mail/confirm/{token}': shows(async (token) => confirmPage(await describeLink(deps, token))),
    'POST /api/mail/confirm/{token}': shows(async (token) => confirmPage(await confirmLink(deps, token))),
    'GET /api/mail/unsubscribe/{token}': shows(async (token) =>
      unsubscribePage(await describeLink(deps, token)),
    ),
    'POST /api/mail/unsubscribe/{token}': shows(async (token) =>
      unsubscribedPage(await unsubscribe(deps, token)),
    ),
  })
  return (app, edge) => {
    void app.register(async (scope) => {
      // What mail programs and forms send; the link says it all.
      for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data']) {
        scope.addContentTypeParser(type, { parseAs: 'string' }, (_request, _body, done) => done(null))
      }
      pages(scope, edge)
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
