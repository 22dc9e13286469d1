import {
  type McpTokenSees,
  mcpApi,
  mcpSeesApi,
  SEEN_NAMES_MAX,
  skillArchiveApi,
  type User,
} from '@catenary/contracts'
import { AppError } from '../../../errors.ts'
import type { Context } from '../../../platform/context.ts'
import { clientOf } from '../../../platform/http/client-name.ts'
import { handlers } from '../../../platform/http/endpoints.ts'
import { toAppError } from '../../../platform/http/errors/errors.ts'
import type { HttpError, HttpReply, HttpRequest, Routes } from '../../../platform/http/routes.ts'
import { asFile } from '../../../platform/http/security/as-file.ts'
import { addUse, admitToken, countCall, findOwnReach, grantOf } from '../../tokens/tokens.ts'
import { answerAgent, LASTING, refuseSession, sendRefusal } from './answer-agent.ts'
import { toolNameOf } from './mcp-chains.ts'
import {
  countReachedChains,
  countReachedPrompts,
  listReachedChains,
  listReachedPrompts,
} from './mcp-reach.sql.ts'
import { findSkill, tookSkill } from './mcp-skills.ts'
import { SKILL_FILE } from './read-skill-folder.ts'

export { admitAgent } from './answer-agent.ts'

const serveMessages = handlers(
  mcpApi,
  {
    'POST /mcp': answerAgent,
    'GET /mcp': (_, { reply }) => refuseSession(reply),
    'DELETE /mcp': (_, { reply }) => refuseSession(reply),
  },
  { 'POST /mcp': LASTING, 'GET /mcp': LASTING, 'DELETE /mcp': LASTING },
)

/** The library for agents: prompts, chains as tools, and skills, by the Model Context Protocol. */
export const serveMcp: Routes = (app, edge) => {
  const { publicUrl, corsOrigins } = edge.ctx.settings
  const origins = new Set([new URL(publicUrl).origin, ...corsOrigins])
  void app.register(async (mcp) => {
    mcp.setErrorHandler((error: HttpError, request, reply) => {
      const known = toAppError(error)
      if (known === undefined) request.log.error({ err: error }, 'a call of an agent failed')
      return sendRefusal(reply, known)
    })
    mcp.addHook('onRequest', async ({ headers: { origin } }) => {
      if (origin !== undefined && !origins.has(origin)) {
        throw new AppError('forbidden', 'Pages of other sites can’t connect here.')
      }
    })
    serveMessages(mcp, edge)
  })
}

export const serveMcpSees = handlers(mcpSeesApi, {
  'GET /api/mcp-tokens/{id}/sees': (ctx, { params, user }) => showReach(ctx, { ...params, user }),
})

export const serveSkillArchive = handlers(skillArchiveApi, {
  'GET /api/skills/{file}': (ctx, { params: { file }, query: { label }, signal, request, reply }) =>
    sendSkillArchive(ctx, { file, label, request, reply, signal }),
})

/** Throws `not_found` unless the person created the token. */
async function showReach(ctx: Context, { id, user }: { id: number; user: User }): Promise<McpTokenSees> {
  const { db } = ctx
  const reach = { ...(await findOwnReach(ctx, { id, user })), user }
  const promptsOf = async (kind: 'prompt' | 'skill') => {
    const rows = await listReachedPrompts(db, { reach, kind, limit: SEEN_NAMES_MAX })
    const names = rows.map((row) => ({ id: row.id, name: row.name, title: row.title }))
    return { count: await countReachedPrompts(db, { reach, kind }), names }
  }
  const rows = await listReachedChains(db, { reach, limit: SEEN_NAMES_MAX })
  const names = rows.map((row) => ({ id: row.id, name: toolNameOf(row), title: row.title }))
  return {
    prompts: await promptsOf('prompt'),
    chains: { count: await countReachedChains(db, reach), names },
    skills: await promptsOf('skill'),
  }
}

/** Throws `forbidden` for a token that reads no skills. */
export const admitSkillReader = (ctx: Context, request: HttpRequest): Promise<User> =>
  admitToken(ctx, {
    request,
    require: ({ abilities }) => {
      if (abilities.has('agent') || abilities.has('read')) return
      throw new AppError('forbidden', 'Fetch skills with a read token or a token for agents.')
    },
  })

interface WantedArchive {
  /** `name.zip` */
  file: string
  label: string | undefined
  request: HttpRequest
  reply: HttpReply
  signal: AbortSignal
}

/** A skill as a folder, for who has no client that knows skills. */
async function sendSkillArchive(
  ctx: Context,
  { file, label, request, reply, signal }: WantedArchive,
): Promise<HttpReply> {
  const grant = grantOf(request)
  await countCall(ctx, grant)
  const client = clientOf(request)
  const name = file.slice(0, -'.zip'.length)
  const found = await findSkill(ctx, { call: { grant, signal }, name, label })
  addUse(ctx, { tokenId: grant.tokenId, calls: 1, client })
  if (found === undefined) throw new AppError('not_found', 'This token reaches no such skill')
  const { folder } = found
  const { writeSkillArchive } = await import('./skill-archive.ts')
  const zip = await writeSkillArchive({ name: found.name, files: folder.files })
  tookSkill(ctx, { grant, client, folder, path: SKILL_FILE })
  reply.header('x-prompt-version', `${folder.version}`)
  if (folder.label !== null) reply.header('x-prompt-label', folder.label)
  // As bytes it passes the schema by.
  return asFile(reply, { name: `${found.name}.zip`, type: 'application/zip' }).send(Buffer.from(zip))
}
