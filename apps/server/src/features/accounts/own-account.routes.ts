import {
  accountSession,
  accountSettings,
  changePasswordRequest,
  idParams,
  listQuery,
  noContent,
  updateAccountRequest,
} from '@catenary/contracts'
import { defineDeleteRoute } from '../../platform/http/delete-route.ts'
import { errorReplies } from '../../platform/http/errors/error-replies.ts'
import { defineListRoute } from '../../platform/http/list-route.ts'
import type { HttpApp, Routes } from '../../platform/http/routes.ts'
import { requireUser, toHeaders } from '../../platform/http/session.ts'
import {
  changePassword,
  changeSettings,
  endOtherSessions,
  endSession,
  findSettings,
  listOwnSessions,
  type OwnAccountDeps,
} from './operations/change-own-account.ts'

const tags = ['accounts']

/** A person's own account (D13). */
export function ownAccountRoutes(deps: OwnAccountDeps): Routes {
  return (app) => {
    settingsRoutes(app, deps)
    passwordRoute(app, deps)
    sessionRoutes(app, deps)
  }
}

function settingsRoutes(app: HttpApp, deps: OwnAccountDeps): void {
  const replies = { 200: accountSettings, ...errorReplies(401) }

  app.get(
    '/api/account',
    { schema: { tags, summary: "The caller's settings", response: replies } },
    async (request) => findSettings(deps, await requireUser(request)),
  )

  app.patch(
    '/api/account',
    {
      schema: {
        tags,
        summary: "Change the caller's settings",
        description: 'Fields that are left out stay as they are.',
        body: updateAccountRequest,
        response: replies,
      },
    },
    async (request) => changeSettings(deps, { ...request.body, user: await requireUser(request) }),
  )
}

function passwordRoute(app: HttpApp, deps: OwnAccountDeps): void {
  app.post(
    '/api/account/password',
    {
      // No digest of a password is kept.
      config: { idempotency: 'off' },
      schema: {
        tags,
        summary: 'Change the password',
        description:
          'Ends all other sessions. 400 for a wrong current password, which counts as a failed sign-in, and for a common new one.',
        body: changePasswordRequest,
        response: { 204: noContent, ...errorReplies(409, 429) },
      },
    },
    async (request, reply) => {
      const user = await requireUser(request)
      const client = { headers: toHeaders(request), address: request.ip }
      await changePassword(deps, { ...request.body, user, client })
      return reply.code(204).send()
    },
  )
}

function sessionRoutes(app: HttpApp, deps: OwnAccountDeps): void {
  defineListRoute(app, '/api/account/sessions', {
    tags,
    summary: 'Where the caller is signed in',
    description: 'The session of this call first, then the latest.',
    querystring: listQuery,
    item: accountSession,
    errors: errorReplies(401),
    read: async (call) =>
      listOwnSessions(deps, {
        user: await requireUser(call),
        headers: toHeaders(call),
        query: call.query,
      }),
  })

  defineDeleteRoute(app, '/api/account/sessions', {
    tags,
    summary: 'Sign out everywhere but here',
    remove: async (call) =>
      endOtherSessions(deps, { user: await requireUser(call), headers: toHeaders(call) }),
  })

  defineDeleteRoute(app, '/api/account/sessions/:id', {
    tags,
    summary: 'Sign out in one place',
    description: '404 for a session of someone else.',
    params: idParams,
    remove: async (call) => endSession(deps, { user: await requireUser(call), id: call.params.id }),
  })
}
