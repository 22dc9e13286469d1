import { skillArchiveParams, skillArchiveQuery } from '@catenary/contracts'
import * as z from 'zod'
import { AppError } from '../../errors.ts'
import { bearerOf } from '../../platform/http/bearer-token.ts'
import { clientOf } from '../../platform/http/client-name.ts'
import { errorReplies } from '../../platform/http/errors/error-replies.ts'
import { abortOnDisconnect } from '../../platform/http/event-stream.ts'
import type { HttpRequest, Routes } from '../../platform/http/routes.ts'
import { asFile } from '../../platform/http/security/as-file.ts'
import { SKILL_FILE } from '../skills/skills.ts'
import type { Grant, TokenGrants, TokenUses } from '../tokens/tokens.ts'
import type { McpSkills } from './mcp-skills.service.ts'

interface SkillArchiveDeps {
  grants: Pick<TokenGrants, 'count'>
  uses: Pick<TokenUses, 'add'>
  skills: McpSkills
}

/** Whose token reads skills; throws for one that doesn't. */
export async function openSkillToken(
  { grants }: { grants: Pick<TokenGrants, 'open'> },
  request: HttpRequest,
): Promise<Grant> {
  return requireReader(await grants.open(bearerOf(request)))
}

function requireReader(grant: Grant): Grant {
  if (grant.type === 'mcp' || grant.type === 'read') return grant
  throw new AppError('forbidden', 'Skills are fetched with a read token or one for agents.')
}

/** A skill as a folder, for who has no client that knows skills. */
export function skillArchiveRoutes({ grants, uses, skills }: SkillArchiveDeps): Routes {
  return (app) => {
    app.get(
      '/api/skills/:file',
      {
        config: { crossSiteCheck: false, idempotency: 'off' },
        schema: {
          tags: ['prompt server'],
          summary: 'A skill as a zip of its folder, for programs with a read token or one for agents',
          description:
            '`Authorization: Bearer`. `X-Prompt-Version` and `X-Prompt-Label` say which version it is.',
          params: skillArchiveParams,
          querystring: skillArchiveQuery,
          response: {
            200: z.string().describe('The zip: a folder of the skill’s name.'),
            ...errorReplies(401, 403, 404, 413, 429),
          },
          produces: ['application/zip'],
        },
      },
      async (request, reply) => {
        const grant = requireReader(await grants.count(bearerOf(request)))
        const client = clientOf(request)
        const name = request.params.file.slice(0, -'.zip'.length)
        const { label } = request.query
        const found = await skills.find({ grant, signal: abortOnDisconnect(reply) }, { name, label })
        uses.add({ tokenId: grant.tokenId, calls: 1, client })
        if (found === undefined) throw new AppError('not_found', 'This token reaches no such skill')
        const { folder } = found
        const { writeSkillArchive } = await import('./skill-archive.ts')
        const zip = await writeSkillArchive({ name: found.name, files: folder.files })
        skills.took({ grant, client }, { folder, path: SKILL_FILE })
        reply.header('x-prompt-version', `${folder.version}`).header('cache-control', 'no-store')
        if (folder.label !== null) reply.header('x-prompt-label', folder.label)
        // As bytes it passes the schema by.
        const file = { name: `${found.name}.zip`, type: 'application/zip' }
        return asFile(reply, file).send(Buffer.from(zip) as never)
      },
    )
  }
}
