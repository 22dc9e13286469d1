import { idParams, noContent, runShare, shareRunsRequest } from '@catenary/contracts'
import { defineDeleteRoute } from '../../../platform/http/delete-route.ts'
import { errorReplies } from '../../../platform/http/errors/error-replies.ts'
import type { HttpApp, Routes } from '../../../platform/http/routes.ts'
import { requireUser } from '../../../platform/http/session.ts'
import type { RunSharesService } from './run-shares.service.ts'

const KINDS = ['chain', 'prompt'] as const

export function runSharesRoutes({ runShares: shares }: { runShares: RunSharesService }): Routes {
  return (app) => {
    oneRun(app, shares)
    for (const kind of KINDS) allRuns({ app, shares, kind })
  }
}

function oneRun(app: HttpApp, shares: RunSharesService): void {
  const path = '/api/executions/:id/share'
  const tags = ['executions']

  app.put(
    path,
    {
      schema: {
        tags,
        summary: 'Share a run of yours with everyone who sees its chain or prompt',
        description: 'As it ended: resuming it ends that.',
        params: idParams,
        response: { 204: noContent, ...errorReplies(409) },
      },
    },
    async (request, reply) => {
      await shares.shareRun({ id: request.params.id, user: await requireUser(request) })
      return reply.code(204).send()
    },
  )

  defineDeleteRoute(app, path, {
    tags,
    summary: 'Stop sharing a run',
    params: idParams,
    remove: async (call) => shares.unshareRun({ id: call.params.id, user: await requireUser(call) }),
  })
}

function allRuns({
  app,
  shares,
  kind,
}: {
  app: HttpApp
  shares: RunSharesService
  kind: (typeof KINDS)[number]
}): void {
  const path = `/api/${kind}s/:id/run-share` as const
  const tags = [`${kind}s`]

  app.get(
    path,
    {
      schema: {
        tags,
        summary: `Whether you share your runs of the ${kind}`,
        params: idParams,
        response: { 200: runShare },
      },
    },
    async (request) =>
      shares.show({ record: { kind, id: request.params.id }, user: await requireUser(request) }),
  )

  app.put(
    path,
    {
      schema: {
        tags,
        summary: `Share your runs of the ${kind} with everyone who sees it`,
        description:
          'Earlier and later ones, as far as they used no other private variables than those named.',
        params: idParams,
        body: shareRunsRequest,
        response: { 200: runShare },
      },
    },
    async (request) => {
      const user = await requireUser(request)
      return shares.save({ record: { kind, id: request.params.id }, user, ...request.body })
    },
  )

  defineDeleteRoute(app, path, {
    tags,
    summary: `Stop sharing your runs of the ${kind}`,
    params: idParams,
    remove: async (call) =>
      shares.delete({ record: { kind, id: call.params.id }, user: await requireUser(call) }),
  })
}
