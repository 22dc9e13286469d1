import { skillsApi, type User } from '@catenary/contracts'
import { type Context, transaction } from '../../platform/context.ts'
import { handlers } from '../../platform/http/endpoints.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { findSkill, listSkills, openPromptForChange, removeSkill, saveSkill } from '../prompts/prompts.ts'
import { listFetchesOfPrompt } from '../tokens/tokens.ts'
import { serveFolders } from './folders/folders.ts'
import { serveGateway } from './gateway/gateway.ts'
import { serveHooks } from './hooks/hooks.ts'
import { serveMcp, serveMcpSees, serveSkillArchive } from './mcp/mcp.ts'
import { servePromptServer } from './prompt-server/prompt-server.ts'

export { admitFolderToken } from './folders/folders.ts'
export { admitCall, answerUnroutableCall, beginGateway, deleteExpiredCalls } from './gateway/gateway.ts'
export { admitHook } from './hooks/hooks.ts'
export { admitAgent, admitSkillReader } from './mcp/mcp.ts'
export { admitReader } from './prompt-server/prompt-server.ts'

const serveSkills = handlers(skillsApi, {
  'GET /api/prompts/{id}/skill': (ctx, { params, user }) => findSkill(ctx, { ...params, user }),
  'PUT /api/prompts/{id}/skill': (ctx, { params, body, user }) =>
    saveSkill(ctx, { ...params, fields: body, user }),
  'DELETE /api/prompts/{id}/skill': (ctx, { params, user }) => removeSkill(ctx, { ...params, user }),
  'GET /api/skills': listSkills,
  // Others' fetches with their names, never with those of their tokens.
  'GET /api/prompts/{id}/fetches': async (ctx, { params: { id }, query, user }) => {
    await requireChangeable(ctx, { id, user })
    return listFetchesOfPrompt(ctx, { promptId: id, user, query })
  },
})

const requireChangeable = (ctx: Context, wanted: { id: number; user: User }) =>
  transaction(ctx, (ctx) => openPromptForChange(ctx, wanted))

export const serveDoors: Routes[] = [
  servePromptServer,
  serveGateway,
  serveHooks,
  serveSkills,
  serveMcp,
  serveMcpSees,
  serveSkillArchive,
  serveFolders,
]
