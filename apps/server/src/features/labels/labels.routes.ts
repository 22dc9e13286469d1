import {
  labelKindParams,
  labelParams,
  listQuery,
  managedLabel,
  mergeLabelRequest,
  noContent,
  renameLabelRequest,
} from '@catenary/contracts'
import { adminOnly } from '../../platform/http/admin-only.ts'
import { errorReplies } from '../../platform/http/error-replies.ts'
import { defineListReply } from '../../platform/http/list-replies.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { requireAdmin } from '../../platform/http/session.ts'
import type { LabelsService } from './labels.service.ts'

const tags = ['admin']
const labelList = defineListReply(managedLabel)
const path = '/api/admin/labels/:kind'
const refusals = errorReplies(401, 403, 404)

/** How admins keep the shared categories and tags in order. */
export function labelsRoutes({ labels }: { labels: LabelsService }): Routes {
  return (app) => {
    app.get(
      path,
      {
        ...adminOnly,
        schema: {
          tags,
          summary: 'The categories, or the tags of a kind, oldest first',
          params: labelKindParams,
          querystring: listQuery,
          response: { 200: labelList.schema, ...errorReplies(401, 403) },
        },
      },
      async ({ params: { kind }, query }, reply) => labelList.send(reply, await labels.list({ kind, query })),
    )

    app.patch(
      `${path}/:id`,
      {
        ...adminOnly,
        schema: {
          tags,
          summary: 'Rename a category or tag',
          description: '409 with the other one as details when the name is taken without regard to case.',
          params: labelParams,
          body: renameLabelRequest,
          response: { 200: managedLabel, ...refusals, ...errorReplies(409) },
        },
      },
      async (request) =>
        labels.rename({ ...request.params, ...request.body, actor: await requireAdmin(request) }),
    )

    app.post(
      `${path}/:id/merge`,
      {
        ...adminOnly,
        schema: {
          tags,
          summary: 'Merge a category or tag into another',
          description: 'What has the one has the other afterwards, and the one is gone.',
          params: labelParams,
          body: mergeLabelRequest,
          response: { 200: managedLabel, ...refusals },
        },
      },
      async (request) =>
        labels.merge({ ...request.params, ...request.body, actor: await requireAdmin(request) }),
    )

    app.delete(
      `${path}/:id`,
      {
        ...adminOnly,
        schema: {
          tags,
          summary: 'Delete a category or tag',
          description: 'A tag goes from whatever has it. 409 for a category that has prompts.',
          params: labelParams,
          response: { 204: noContent, ...refusals, ...errorReplies(409) },
        },
      },
      async (request, reply) => {
        await labels.delete({ ...request.params, actor: await requireAdmin(request) })
        return reply.code(204).send()
      },
    )
  }
}
