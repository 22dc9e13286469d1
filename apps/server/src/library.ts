import { userDirectoryRoutes } from './features/accounts/user-directory.routes.ts'
import { createUserDirectory } from './features/accounts/user-directory.service.ts'
import { categoriesRoutes } from './features/categories/categories.routes.ts'
import { createCategoriesService } from './features/categories/categories.service.ts'
import { createChainAccess } from './features/chains/chain-access.service.ts'
import { chainOffersRoutes } from './features/chains/chain-offers.routes.ts'
import { createChainOffersService } from './features/chains/chain-offers.service.ts'
import { createChainPort } from './features/chains/chain-port.service.ts'
import { chainStepsRoutes } from './features/chains/chain-steps.routes.ts'
import { createChainStepsService } from './features/chains/chain-steps.service.ts'
import { chainVersionsRoutes } from './features/chains/chain-versions.routes.ts'
import { createChainVersionsService } from './features/chains/chain-versions.service.ts'
import { chainsRoutes } from './features/chains/chains.routes.ts'
import { createChainsService } from './features/chains/chains.service.ts'
import { labelsRoutes } from './features/labels/labels.routes.ts'
import { createLabelsService } from './features/labels/labels.service.ts'
import { createPromptLinks } from './features/prompts/prompt-links.service.ts'
import { promptPort } from './features/prompts/prompt-port.service.ts'
import { promptsRoutes } from './features/prompts/prompts.routes.ts'
import { createPromptsService } from './features/prompts/prompts.service.ts'
import { createRecords, type ReleaseGate } from './features/records/records.ts'
import { tagsRoutes } from './features/tags/tags.routes.ts'
import { createTagsService } from './features/tags/tags.service.ts'

interface LibraryDeps extends Omit<Parameters<typeof createPromptsService>[0], 'tags'> {
  gate: ReleaseGate
}

/** Prompts and chains, and what belongs to both: tags, categories, shares, versions and their labels. */
export function createLibrary({ db, rowChanges, gate }: LibraryDeps) {
  const tags = createTagsService({ db })
  const prompts = createPromptsService({ db, tags, rowChanges })
  const categories = createCategoriesService({ db, prompts })
  const links = createPromptLinks()
  const access = createChainAccess({ links })
  const chains = createChainsService({ db, tags, prompts, links, access })
  const directory = createUserDirectory({ db })
  const ports = { prompt: promptPort, chain: createChainPort(access) }
  const ofChains = { db, prompts, links, access }
  return {
    ...{ tags, prompts, categories, chains, ports },
    routes: [
      userDirectoryRoutes({ directory }),
      labelsRoutes({ labels: createLabelsService({ db }) }),
      categoriesRoutes({ categories }),
      tagsRoutes({ tags }),
      promptsRoutes({ prompts }),
      chainsRoutes({ chains }),
      chainOffersRoutes({ offers: createChainOffersService({ db }) }),
      chainStepsRoutes({ steps: createChainStepsService(ofChains) }),
      chainVersionsRoutes({ versions: createChainVersionsService(ofChains) }),
      ...createRecords({ db }, { directory, ports, gate }).routes,
    ],
  }
}
