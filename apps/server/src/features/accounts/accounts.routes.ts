import { accountsApi } from '@catenary/contracts'
import type { FastifyReply } from 'fastify'
import { AppError } from '../../errors.ts'
import { handlers } from '../../platform/http/endpoints.ts'
import type { Routes } from '../../platform/http/routes.ts'
import type { AccountsService } from './accounts.service.ts'

export const accountsRoutes = ({ accounts }: { accounts: AccountsService }): Routes =>
  handlers(accountsApi, {
    'GET /api/user': async (_, { client, reply }) => {
      const { user, cookies } = await accounts.currentUser(client.headers)
      setCookies(reply, cookies)
      if (user === null) throw new AppError('unauthenticated', 'Please log in')
      return user
    },
    'POST /api/login': async (_, { body, client, reply }) => {
      const { user, cookies } = await accounts.signIn({ ...body, client })
      setCookies(reply, cookies)
      return user
    },
    'POST /api/register': async (_, { body, client, reply }) => {
      const { user, cookies } = await accounts.register({ ...body, client })
      setCookies(reply, cookies)
      return user
    },
    'POST /api/logout': async (_, { client, reply }) =>
      setCookies(reply, await accounts.signOut(client.headers)),
  })

function setCookies(reply: FastifyReply, cookies: string[]): void {
  if (cookies.length > 0) reply.header('set-cookie', cookies)
}
