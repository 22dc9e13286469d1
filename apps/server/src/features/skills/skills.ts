import type { Database } from '../../db/executor.ts'
import { type Context, slot } from '../../platform/context.ts'
import type { PromptServerService } from '../prompt-server/prompt-server.ts'
import type { PromptsService } from '../prompts/prompts.ts'
import type { VariablesService } from '../variables/variables.ts'
import { createSkillFetches } from './skill-fetches.service.ts'
import { createSkillFolders } from './skill-folders.service.ts'
import { skillsRoutes } from './skills.routes.ts'
import { createSkills as createSkillsService } from './skills.service.ts'

export { SKILL_FILE, type SkillFolder } from './skill-folders.service.ts'
export type SkillsService = ReturnType<typeof createSkills>['service']
export const skillsSlot = slot<SkillsService>()

interface Features {
  prompts: Pick<PromptsService, 'find' | 'listVisibleClips'>
  promptServer: Pick<PromptServerService, 'findPromptById' | 'toServedText'>
  variables: Pick<VariablesService, 'describe' | 'resolve'>
}

/** Prompts, and sets of them, that agents take as skills. */
export function createSkills(ctx: Context<Database>, { prompts, promptServer, variables }: Features) {
  const { db } = ctx
  const folders = createSkillFolders({ db, ...promptServer, variables })
  const skills = createSkillsService({ db, prompts })
  return {
    service: { readFolder: folders.read, setIn: skills.setIn },
    routes: [skillsRoutes({ skills, fetches: createSkillFetches(ctx) })],
  }
}
