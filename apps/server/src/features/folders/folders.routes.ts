import {
  evaluateFolderRequest,
  folderEvaluation,
  folderQuery,
  idParams,
  pushOutcome,
  pushRequest,
} from '@catenary/contracts'
import * as z from 'zod'
import { bearerOf } from '../../platform/http/bearer-token.ts'
import { callerSignal } from '../../platform/http/caller-signal.ts'
import { errorReplies } from '../../platform/http/errors/error-replies.ts'
import type { Routes } from '../../platform/http/routes.ts'
import type { FoldersService } from './folders.service.ts'

const tags = ['folders']
/** Cookies count for nothing here, so that no site can borrow a session. */
const config = { crossSiteCheck: false, idempotency: 'off' as const }
const BODY_LIMIT_BYTES = 16 * 1024 * 1024
const errors = errorReplies(401, 403, 429)

export function foldersRoutes({ folders }: { folders: FoldersService }): Routes {
  return (app) => {
    app.get(
      '/api/folder',
      {
        config,
        schema: {
          tags,
          summary: 'What a folder token’s creator owns, as a zip',
          description:
            '`Authorization: Bearer` with a folder token. The same files as `GET /api/export` has.',
          querystring: folderQuery,
          response: { 200: z.string().describe('A zip.'), ...errors },
        },
      },
      async (request, reply) => {
        const content = await folders.pull({ token: bearerOf(request), label: request.query.label })
        return reply
          .type('application/zip')
          .header('cache-control', 'no-store')
          .send(content as never)
      },
    )

    app.post(
      '/api/folder/push',
      {
        bodyLimit: BODY_LIMIT_BYTES,
        config: { ...config, writes: 'file' },
        schema: {
          tags,
          summary: 'Make new versions of files of a folder',
          description:
            'All of them or none: where a file’s `base` is not what is here, nothing is written, and the reply names the ' +
            'conflicts. Records that are not here yet become the token’s creator’s, private. Nothing is deleted.',
          body: pushRequest,
          response: { 200: pushOutcome, ...errors, ...errorReplies(413) },
        },
      },
      async (request, reply) =>
        folders.push({ token: bearerOf(request), request: request.body, signal: callerSignal(reply) }),
    )

    app.post(
      '/api/folder/evaluations',
      {
        config,
        schema: {
          tags,
          summary: 'Run a test suite on the version of a label',
          body: evaluateFolderRequest,
          response: { 200: folderEvaluation, ...errors, ...errorReplies(404, 409) },
        },
      },
      async (request) => folders.evaluate({ token: bearerOf(request), request: request.body }),
    )

    app.get(
      '/api/folder/evaluations/:id',
      {
        config,
        schema: {
          tags,
          summary: 'An evaluation of a folder token’s creator',
          params: idParams,
          response: { 200: folderEvaluation, ...errors, ...errorReplies(404) },
        },
      },
      async (request) => folders.findEvaluation({ token: bearerOf(request), id: request.params.id }),
    )
  }
}
