import { protectedLabel, protectedLabelParams, protectLabelRequest } from '@catenary/contracts'
import * as z from 'zod'
import { defineDeleteRoute } from '../../platform/http/delete-route.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { adminOnly } from '../../platform/http/security/admin-only.ts'
import { requireAdmin } from '../../platform/http/session.ts'
import { listProtections, protectLabel, unprotectLabel } from './operations/protect-label.ts'
import type { RecordsDeps } from './records-deps.ts'

const PATH = '/api/admin/protected-labels'
const ONE = `${PATH}/:label` as const
const tags = ['admin']
const labelList = z.array(protectedLabel)

export function protectedLabelsRoutes(deps: RecordsDeps): Routes {
  return (app) => {
    app.get(
      PATH,
      {
        ...adminOnly,
        schema: { tags, summary: 'The protected labels, by name', response: { 200: labelList } },
      },
      () => listProtections(deps),
    )

    app.put(
      ONE,
      {
        ...adminOnly,
        schema: {
          tags,
          summary: 'Protect a label, on every prompt and chain',
          description: 'Where it is already it stays.',
          params: protectedLabelParams,
          body: protectLabelRequest,
          response: { 200: labelList },
        },
      },
      async (request) =>
        protectLabel(deps, { ...request.params, rule: request.body, user: await requireAdmin(request) }),
    )

    defineDeleteRoute(app, ONE, {
      tags,
      summary: 'Protect a label no longer',
      params: protectedLabelParams,
      isAdminOnly: true,
      remove: async (call) => unprotectLabel(deps, { ...call.params, user: await requireAdmin(call) }),
    })
  }
}
