import {
  gateQuery,
  gateState,
  LABELLED_KINDS,
  type LabelledKind,
  versionLabelParams,
} from '@catenary/contracts'
import type { Routes } from '../../platform/http/routes.ts'
import { requireUser } from '../../platform/http/session.ts'
import type { ReleasePreviewService } from './release-preview.service.ts'

export function releasePreviewRoutes(services: Record<LabelledKind, ReleasePreviewService>): Routes {
  return (app) => {
    for (const kind of LABELLED_KINDS) {
      app.get(
        `/api/${kind}s/:id/labels/:label/gate` as const,
        {
          schema: {
            tags: [`${kind}s`],
            summary: 'What test suites say to a move of a label',
            description: 'The move asks them again.',
            params: versionLabelParams,
            querystring: gateQuery,
            response: { 200: gateState },
          },
        },
        async (request) =>
          services[kind].find({
            ...request.params,
            ...request.query,
            user: await requireUser(request),
          }),
      )
    }
  }
}
