import { mailState, mailTest } from '@catenary/contracts'
import type { FastifyRequest } from 'fastify'
import { errorReplies } from '../../platform/http/error-replies.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { requireAdmin, requireUser } from '../../platform/http/session.ts'
import type { MailsService } from './mails.service.ts'

export function mailsRoutes({ mails }: { mails: MailsService }): Routes {
  return (app) => {
    app.get(
      '/api/mail',
      {
        schema: {
          tags: ['schedules'],
          summary: 'Whether mail is set up, and whom schedules may mail',
          response: { 200: mailState },
        },
      },
      async (request) => mails.describe(await requireUser(request)),
    )

    app.post(
      '/api/admin/mail/test',
      {
        preValidation: async (request: FastifyRequest) => {
          await requireAdmin(request)
        },
        schema: {
          tags: ['admin'],
          summary: 'Send a test mail to oneself',
          description: 'A mail that could not be sent is a result, with the reason.',
          response: { 200: mailTest, ...errorReplies(401, 403) },
        },
      },
      async (request) => mails.test(await requireAdmin(request)),
    )
  }
}
