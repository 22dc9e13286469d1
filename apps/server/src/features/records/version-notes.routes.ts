import { LABELLED_KINDS, noContent, promptVersionParams, versionNoteRequest } from '@catenary/contracts'
import type { Routes } from '../../platform/http/routes.ts'
import { requireUser } from '../../platform/http/session.ts'
import { saveVersionNote } from './operations/save-version-note.ts'
import type { RecordsDeps } from './records-deps.ts'

export function versionNotesRoutes(deps: RecordsDeps): Routes {
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
          await saveVersionNote(deps, { kind, ...request.params, ...request.body, user })
          return reply.code(204).send()
        },
      )
    }
  }
}
