import type { HttpRequest } from '../../platform/http/routes.ts'
import type { Platform } from '../../platform/platform.ts'
import type { GatewayService } from '../gateway/gateway.ts'
import type { PromptServerService } from '../prompt-server/prompt-server.ts'
import type { Runs } from '../runs/runs.ts'
import type { SkillsService } from '../skills/skills.ts'
import type { TokensService } from '../tokens/tokens.ts'
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
  gateway: Pick<GatewayService, 'idempotentCalls'>
  promptServer: Pick<PromptServerService, 'findPromptById'>
  runs: Pick<Runs, 'chainRuns' | 'find'>
  skills: Pick<SkillsService, 'readFolder'>
  tokens: TokensService
  variables: Pick<VariablesService, 'describe' | 'resolve'>
}

/** The library for agents: prompts, chains as tools, and skills, by the Model Context Protocol. */
export function createMcp(
  {
    db,
    draining,
    log,
    rowChanges,
    settings,
  }: Pick<Platform, 'db' | 'draining' | 'log' | 'rowChanges' | 'settings'>,
  { gateway, promptServer, runs, skills: { readFolder }, tokens, variables }: Features,
) {
  const { grants, uses, fetches } = tokens
  const deps: McpDeps = {
    db,
    log,
    grants,
    uses,
    fetches,
    idempotentCalls: gateway.idempotentCalls,
    chainRuns: runs.chainRuns,
    findRun: runs.find,
    findPromptById: promptServer.findPromptById,
    skills: { readFolder },
    variables,
  }
  const prompts = createMcpPrompts(deps)
  const skills = createMcpSkills(deps)
  const tools = createMcpTools({ prompts, chains: createMcpChains(deps) })
  const openCalls = createOpenCalls({ db, grants, rowChanges, log, draining })
  const { publicUrl, corsOrigins } = settings
  return {
    service: {
      admitAgent: async (request: HttpRequest) => (await openToken({ grants }, request)).user,
      admitSkillReader: async (request: HttpRequest) => (await openSkillToken({ grants }, request)).user,
    },
    routes: [
      mcpRoutes({
        prompts,
        skills,
        tools,
        log,
        grants,
        uses,
        openCalls,
        clients: createMcpClients(),
        publicUrl,
        corsOrigins,
      }),
      mcpSeesRoutes({ sees: createMcpSees({ db, findOwn: tokens.findOwnReach }) }),
      skillArchiveRoutes({ grants, uses, skills }),
    ],
  }
}
