import { slot } from '../../platform/context.ts'
import type { HttpRequest } from '../../platform/http/routes.ts'
import type { Database } from '../../db/executor.ts'
import type { Context } from '../../platform/context.ts'
import type { PromptsService } from '../prompts/prompts.ts'
import type { VariablesService } from '../variables/variables.ts'
import { createNamedPrompts } from './named-prompts.service.ts'
import { promptAliasesRoutes } from './prompt-aliases.routes.ts'
import { createPromptAliases } from './prompt-aliases.service.ts'
import { promptServerRoutes, readTokenOf } from './prompt-server.routes.ts'
import { createServedPrompts } from './served-prompts.service.ts'
import { createServedTexts } from './served-texts.ts'

export { type NamedVersion, readChoice } from './named-prompts.service.ts'
export { othersTextOf } from './others-text.ts'
export type PromptServerService = ReturnType<typeof createPromptServer>['service']
export const promptServerSlot = slot<PromptServerService>()

interface Features {
  prompts: Pick<PromptsService, 'find'>
  variables: Pick<VariablesService, 'resolve'>
}

/** Prompts by their names, for programs. */
export function createPromptServer(ctx: Context<Database>, { prompts, variables }: Features) {
  const { db, rowChanges } = ctx
  const namedPrompts = createNamedPrompts({ db, rowChanges, prompts })
  const promptAliases = createPromptAliases({ db })
  const servedPrompts = createServedPrompts({ ctx, namedPrompts, variables })
  return {
    service: {
      admit: (request: HttpRequest) => servedPrompts.admit(readTokenOf(request)),
      findPrompt: namedPrompts.find,
      findPromptById: namedPrompts.findById,
      toServedText: createServedTexts(variables).toServedText,
      giveAliasesIn: promptAliases.giveIn,
    },
    routes: [promptAliasesRoutes({ promptAliases }), promptServerRoutes({ servedPrompts })],
  }
}
