import {
  LABELLED_KINDS,
  type LabelledKind,
  noContent,
  promptVersionParams,
  versionNoteRequest,
} from '@catenary/contracts'
import type { Routes } from '../../platform/http/routes.ts'
import { requireUser } from '../../platform/http/session.ts'
import type { VersionNotesService } from './version-notes.service.ts'

export function versionNotesRoutes(services: Record<LabelledKind, VersionNotesService>): Routes {
  return (app) => {
    for (const kind of LABELLED_KINDS) {
      app.patch(
        `/api/${kind}s/:id/versions/:number` as const,
        {
          schema: {
            tags: [`${kind}s`],
            summary: 'Say anew what a version is about',
            description: 'For people who may change the record. Nothing else of a version ever changes.',
            params: promptVersionParams,
            body: versionNoteRequest,
            response: { 204: noContent },
          },
        },
        async (request, reply) => {
          const user = await requireUser(request)
          await services[kind].save({ ...request.params, ...request.body, user })
          return reply.code(204).send()
        },
      )
    }
  }
}
