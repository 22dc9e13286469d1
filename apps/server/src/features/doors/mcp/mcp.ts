import { mcpApi, mcpSeesApi, skillArchiveApi } from '@catenary/contracts'
import { AppError } from '../../../errors.ts'
import { handlers } from '../../../platform/http/endpoints.ts'
import { toAppError } from '../../../platform/http/errors/errors.ts'
import type { HttpError, Routes } from '../../../platform/http/routes.ts'
import { answerAgent, LASTING, refuseSession, sendRefusal } from './answer-agent.ts'
import { showReach } from './mcp-sees.ts'
import { sendSkillArchive } from './send-skill-archive.ts'

export { admitAgent } from './answer-agent.ts'
export { admitSkillReader } from './send-skill-archive.ts'

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
      const known = error instanceof AppError ? error : toAppError(error)
      if (known === undefined) request.log.error({ err: error }, 'a call of an agent failed')
      return sendRefusal(reply, known)
    })
    mcp.addHook('onRequest', async ({ headers: { origin } }) => {
      if (origin !== undefined && !origins.has(origin)) {
        throw new AppError('forbidden', 'Pages of other sites may not connect here.')
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
