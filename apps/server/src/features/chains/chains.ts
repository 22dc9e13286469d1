import type { Platform } from '../../platform/platform.ts'
import type { PromptsService } from '../prompts/prompts.ts'
import type { TagsService } from '../tags/tags.ts'
import { createChainAccess } from './chain-access.service.ts'
import { chainOffersRoutes } from './chain-offers.routes.ts'
import { createChainOffersService } from './chain-offers.service.ts'
import { createChainPort } from './chain-port.service.ts'
import { createChainReferencesService } from './chain-references.service.ts'
import { chainStepsRoutes } from './chain-steps.routes.ts'
import { createChainStepsService } from './chain-steps.service.ts'
import { chainVersionsRoutes } from './chain-versions.routes.ts'
import { createChainVersionsService } from './chain-versions.service.ts'
import { chainsRoutes } from './chains.routes.ts'
import { createChainsService } from './chains.service.ts'

export type { ChainRights, FrozenLinks, RunnableChain, RunRights, WantedChain } from './chains.service.ts'
export type ChainsService = ReturnType<typeof createChains>['service']

interface Features {
  prompts: Pick<PromptsService, 'links' | 'lockVisible'>
  tags: Pick<TagsService, 'requireAll'>
}

/** Prompts in a row. */
export function createChains({ db }: Pick<Platform, 'db'>, { prompts, tags }: Features) {
  const { links } = prompts
  const access = createChainAccess({ links })
  const chains = createChainsService({ db, tags, prompts, links, access })
  const { addExample, createIn, deleteIn, findAccess, findRunRights } = chains
  const { openForRun, requireEditable, requireLabel, requireVisible } = chains
  return {
    service: {
      addExample,
      createIn,
      deleteIn,
      findAccess,
      findRunRights,
      openForRun,
      requireEditable,
      requireLabel,
      requireVisible,
      references: createChainReferencesService({ db }),
      port: createChainPort(access),
    },
    routes: [
      chainsRoutes({ chains }),
      chainOffersRoutes({ offers: createChainOffersService({ db }) }),
      chainStepsRoutes({ steps: createChainStepsService({ db, prompts, links, access }) }),
      chainVersionsRoutes({ versions: createChainVersionsService({ db, prompts, access }) }),
    ],
  }
}
