import { loginRequest, noContent, registerRequest, SESSIONS_MAX, user } from '@catenary/contracts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod'
import { AppError } from '../../errors.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { toHeaders } from '../../platform/http/session.ts'
import type { AccountsService } from './accounts.service.ts'

/** No digest of a password is kept, and each sign-in sets a cookie of its own. */
const NOT_REPLAYED = { idempotency: 'off' } as const

export function accountsRoutes({ accounts }: { accounts: AccountsService }): Routes {
  return (app) => {
    app.get(
      '/api/user',
      {
        schema: {
          tags: ['accounts'],
          summary: 'The signed-in person',
          description: '401 for a guest. Keeps a session in use from ending.',
          response: { 200: user },
        },
      },
      async (request, reply) => {
        const current = await accounts.currentUser(toHeaders(request))
        setCookies(reply, current.cookies)
        if (current.user === null) throw new AppError('unauthenticated', 'Please log in')
        return reply.send(current.user)
      },
    )

    app.post(
      '/api/login',
      {
        config: { ...NOT_REPLAYED, whileDiskFull: 'served' },
        schema: {
          tags: ['accounts'],
          summary: 'Sign in',
          description:
            '401 for a wrong name or password, 403 for a disabled account, 429 after ten failures for an account and ' +
            'address or twenty for an address within 15 minutes, 503 when too many sign in at the same moment. Ends ' +
            `the session that the call carries; of more than ${SESSIONS_MAX} sessions one ends: of the same client, else the longest unused.`,
          body: loginRequest,
          response: { 200: user },
        },
      },
      async (request, reply) => {
        const signedIn = await accounts.signIn({ ...request.body, client: toClient(request) })
        setCookies(reply, signedIn.cookies)
        return reply.send(signedIn.user)
      },
    )

    app.post(
      '/api/register',
      {
        config: NOT_REPLAYED,
        schema: {
          tags: ['accounts'],
          summary: 'Create an account and sign in',
          description:
            'The first account on an instance is admin. 403 when registration is closed, 409 when the username or email address is taken, 429 after twenty accounts from an address within an hour.',
          body: registerRequest,
          response: { 201: user },
        },
      },
      async (request, reply) => {
        const registered = await accounts.register({ ...request.body, client: toClient(request) })
        setCookies(reply, registered.cookies)
        return reply.code(201).send(registered.user)
      },
    )

    app.post(
      '/api/logout',
      {
        config: { ...NOT_REPLAYED, whileDiskFull: 'served', writes: 'unlimited' },
        schema: {
          tags: ['accounts'],
          summary: 'Sign out',
          description: 'Ends the session; succeeds without one, too.',
          body: z.strictObject({}).nullish(),
          response: { 204: noContent },
        },
      },
      async (request, reply) => {
        setCookies(reply, await accounts.signOut(toHeaders(request)))
        return reply.code(204).send()
      },
    )
  }
}

function toClient(request: FastifyRequest) {
  return { headers: toHeaders(request), address: request.ip }
}

function setCookies(reply: FastifyReply, cookies: string[]): void {
  reply.header('cache-control', 'no-store')
  if (cookies.length > 0) reply.header('set-cookie', cookies)
}
