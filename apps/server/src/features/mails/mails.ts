import { mailPagesApi, mailsApi, mailTestApi, ownAddressApi } from '@catenary/contracts'
import { AppError } from '../../errors.ts'
import type { Context } from '../../platform/context.ts'
import { handlers } from '../../platform/http/endpoints.ts'
import type { HttpReply, Routes } from '../../platform/http/routes.ts'
import { confirmLink, describeLink, unsubscribe } from './answer-link.ts'
import { sendTestMail } from './deliver-mail.ts'
import { confirmPage, type Page, renderPage, unsubscribedPage, unsubscribePage } from './mail-pages.ts'
import { askOwnAddressAgain } from './queue-mail.ts'
import { describeMail } from './read-addresses.ts'

export { workMails } from './deliver-mail.ts'
export { findToldPerson, listOccurrenceMails } from './mails.sql.ts'
export { askAddresses, queueMail } from './queue-mail.ts'
export { countUnsentMails, describeAddresses, listRecipients } from './read-addresses.ts'
export { sendNow } from './send-now.ts'

export const serveMails = handlers(mailsApi, {
  'GET /api/mail': (ctx, { user }) => describeMail(ctx, user),
})

export const serveOwnAddress = handlers(ownAddressApi, {
  'POST /api/mail/confirmation': async (ctx, { user }) => {
    await askOwnAddressAgain(ctx, user)
    return describeMail(ctx, user)
  },
})

export const serveMailTest = handlers(mailTestApi, {
  'POST /api/admin/mail/test': (ctx, { user }) => sendTestMail(ctx, user),
})

interface Call {
  params: { token: string }
  reply: HttpReply
}

const pages = handlers(mailPagesApi, {
  'GET /api/mail/confirm/{token}': shows(async (ctx, token) => confirmPage(await describeLink(ctx, token))),
  'POST /api/mail/confirm/{token}': shows(async (ctx, token) => confirmPage(await confirmLink(ctx, token))),
  'GET /api/mail/unsubscribe/{token}': shows(async (ctx, token) =>
    unsubscribePage(await describeLink(ctx, token)),
  ),
  'POST /api/mail/unsubscribe/{token}': shows(async (ctx, token) =>
    unsubscribedPage(await unsubscribe(ctx, token)),
  ),
})

/** Pages for links in mails, for people without an account: opening one changes nothing until a button is pressed. */
export const serveMailPages: Routes = (app, edge) => {
  void app.register(async (scope) => {
    // What mail programs and forms send; the link says it all.
    for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data']) {
      scope.addContentTypeParser(type, { parseAs: 'string' }, (_request, _body, done) => done(null))
    }
    pages(scope, edge)
  })
}

function shows(make: (ctx: Context, token: string) => Promise<Page>) {
  return async (ctx: Context, { params: { token }, reply }: Call): Promise<HttpReply> => {
    const { sendPage } = ctx
    try {
      return sendPage({ ...renderPage(await make(ctx, token)), reply })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      if (error.code === 'too_many') {
        const text = 'No more email is sent to this address.'
        return sendPage({ ...renderPage({ title: error.message, text }), reply, status: 429 })
      }
      const text = 'The link may be incomplete, or the account was deleted.'
      return sendPage({ ...renderPage({ title: error.message, text }), reply, status: 404 })
    }
  }
}
