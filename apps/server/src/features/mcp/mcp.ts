import type { Database } from '../../db/executor.ts'
import type { Context } from '../../platform/context.ts'
import type { HttpRequest } from '../../platform/http/routes.ts'
import type { Runs } from '../runs/runs.ts'
import { findOwnReach } from '../tokens/tokens.ts'
import type { VariablesService } from '../variables/variables.ts'
import { mcpRoutes, openToken } from './mcp.routes.ts'
import { createMcpChains } from './mcp-chains.service.ts'
import { createMcpClients } from './mcp-clients.ts'
import type { McpDeps } from './mcp-deps.ts'
import { createMcpPrompts } from './mcp-prompts.service.ts'
import { mcpSeesRoutes } from './mcp-sees.routes.ts'
import { createMcpSees } from './mcp-sees.service.ts'
import { createMcpSkills } from './mcp-skills.service.ts'
import { createMcpTools } from './mcp-tools.ts'
import { createOpenCalls } from './open-calls.service.ts'
import { openSkillToken, skillArchiveRoutes } from './skill-archive.routes.ts'

interface Features {
  runs: Pick<Runs, 'chainRuns' | 'find'>
  variables: Pick<VariablesService, 'describe' | 'resolve'>
}

/** The library for agents: prompts, chains as tools, and skills, by the Model Context Protocol. */
export function createMcp(
  ctx: Context<Database>,
  { runs, variables }: Features,
) {
  const { db, draining, log, rowChanges, settings } = ctx
  const deps: McpDeps = {
    db,
    log,
    ctx,
    chainRuns: runs.chainRuns,
    findRun: runs.find,
    variables,
  }
  const prompts = createMcpPrompts(deps)
  const skills = createMcpSkills(deps)
  const tools = createMcpTools({ prompts, chains: createMcpChains(deps) })
  const openCalls = createOpenCalls({ ctx, db, rowChanges, log, draining })
  const { publicUrl, corsOrigins } = settings
  return {
    service: {
      admitAgent: async (request: HttpRequest) => (await openToken({ ctx }, request)).user,
      admitSkillReader: async (request: HttpRequest) => (await openSkillToken(ctx, request)).user,
    },
    routes: [
      mcpRoutes({
        prompts,
        skills,
        tools,
        log,
        ctx,
        openCalls,
        clients: createMcpClients(),
        publicUrl,
        corsOrigins,
      }),
      mcpSeesRoutes({ sees: createMcpSees({ db, findOwn: (wanted) => findOwnReach(ctx, wanted) }) }),
      skillArchiveRoutes({ skills }),
    ],
  }
}
