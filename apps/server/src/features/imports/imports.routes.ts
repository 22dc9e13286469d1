import {
  idParams,
  importOutcome,
  importReportKept,
  importRequest,
  recentImports,
  undoneImport,
} from '@catenary/contracts'
import { callerSignal } from '../../platform/http/caller-signal.ts'
import { errorReplies } from '../../platform/http/errors/error-replies.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { requireUser } from '../../platform/http/session.ts'
import type { ImportsService } from './imports.service.ts'

const tags = ['imports']
/** Texts of other scripts take up to three bytes a character, and some two more as JSON. */
const BODY_LIMIT_BYTES = 16 * 1024 * 1024

export function importsRoutes({ imports }: { imports: ImportsService }): Routes {
  return (app) => {
    app.post(
      '/api/import',
      {
        bodyLimit: BODY_LIMIT_BYTES,
        config: { writes: 'file' },
        schema: {
          tags,
          summary: 'Import prompts from elsewhere',
          description:
            'OpenAI’s prompt objects, Langfuse, Markdown with front matter, Open WebUI, prompts.chat and promptfoo, found by ' +
            'their content. With `dryRun`, which is the default, nothing is made: the reply says what is new, what is here ' +
            'already, and what does not come along. What is made is private and the caller’s; all of it or nothing.',
          body: importRequest,
          response: { 200: importOutcome, ...errorReplies(413) },
        },
      },
      async (request, reply) => {
        const user = await requireUser(request)
        return imports.run({ user, request: request.body, signal: callerSignal(reply) })
      },
    )

    app.get(
      '/api/imports',
      {
        schema: {
          tags,
          summary: 'The caller’s newest imports',
          response: { 200: recentImports, ...errorReplies(401) },
        },
      },
      async (request) => imports.list(await requireUser(request)),
    )

    app.get(
      '/api/imports/:id',
      {
        schema: {
          tags,
          summary: 'An import of the caller with its whole report',
          params: idParams,
          response: { 200: importReportKept, ...errorReplies(401) },
        },
      },
      async (request) => imports.find({ id: request.params.id, user: await requireUser(request) }),
    )

    app.post(
      '/api/imports/:id/undo',
      {
        schema: {
          tags,
          summary: 'Undo an import, for a day',
          description:
            'Deletes what it made and gives earlier texts back, but for what was changed since and what something needs.',
          params: idParams,
          response: { 200: undoneImport, ...errorReplies(409) },
        },
      },
      async (request) => imports.undo({ id: request.params.id, user: await requireUser(request) }),
    )
  }
}
