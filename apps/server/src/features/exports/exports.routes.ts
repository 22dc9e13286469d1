import { exportQuery } from '@catenary/contracts'
import * as z from 'zod'
import { errorReplies } from '../../platform/http/errors/error-replies.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { asFile } from '../../platform/http/security/as-file.ts'
import { requireUser } from '../../platform/http/session.ts'
import type { ExportsService } from './exports.service.ts'

export function exportsRoutes({ exports }: { exports: ExportsService }): Routes {
  return (app, { limitStreams }) => {
    app.get(
      '/api/export',
      {
        config: { crossSiteCheck: true },
        onRequest: limitStreams,
        schema: {
          tags: ['exports'],
          summary: 'Prompts, chains and test suites as files',
          description:
            'What the caller sees, or a selection of it. As a folder: a Markdown file a prompt, a YAML file a chain and a ' +
            'suite, by names and without ids, the same to the byte as long as nothing changes; the import reads it. Values ' +
            'of variables, tokens and shares are in none.',
          querystring: exportQuery,
          response: { 200: z.string().describe('A zip, JSON or YAML.'), ...errorReplies(401, 429) },
        },
      },
      async (request, reply) => {
        const user = await requireUser(request)
        const { name, type, content } = exports.open({ user, query: request.query })
        return asFile(reply, { name, type })
          .header('cache-control', 'no-store')
          .send(content as never)
      },
    )
  }
}
