import type { Transaction } from '../../db/executor.ts'
import { slot } from '../../platform/context.ts'
import type { Platform } from '../../platform/platform.ts'
import type { ModelRegistry } from '../models/models.ts'
import type { TagsService } from '../tags/tags.ts'
import { chainOffersRoutes } from './chain-offers.routes.ts'
import { createChainOffersService } from './chain-offers.service.ts'
import { chainPort } from './chain-port.service.ts'
import { createChainReferencesService } from './chain-references.service.ts'
import { chainStepsRoutes } from './chain-steps.routes.ts'
import { chainsRoutes } from './chains.routes.ts'
import type { ChainsDeps } from './chains-deps.ts'
import {
  addExample,
  createChainIn,
  deleteChainIn,
  type NewChainWithSteps,
} from './operations/change-chain.ts'
import { openChainForRun, requireLabel, type WantedChain } from './operations/open-chain-for-run.ts'
import {
  type ForViewer,
  findChainAccess,
  requireEditable,
  requireVisibleChain,
} from './operations/read-chains.ts'
import { replaceChainIn, type WholeChain } from './operations/replace-chain.ts'
import { createFindRunRights } from './operations/run-rights.ts'

export type { StepFields } from './chain-record.ts'
export type { FrozenLinks, RunnableChain, WantedChain } from './operations/open-chain-for-run.ts'
export type { ChainRights } from './operations/read-chains.ts'
export type { RunRights } from './operations/run-rights.ts'
export type ChainsService = ReturnType<typeof createChains>['service']
export const chainsSlot = slot<ChainsService>()

interface Features {
  registry: Pick<ModelRegistry, 'requireChosen'>
  tags: Pick<TagsService, 'requireAll'>
}

/** Prompts in a row. */
export function createChains(
  { db, rowChanges }: Pick<Platform, 'db' | 'rowChanges'>,
  { registry, tags }: Features,
) {
  const deps: ChainsDeps = { db, registry, tags }
  return {
    service: {
      addExample,
      createIn: (tx: Transaction, wanted: NewChainWithSteps) => createChainIn(deps, tx, wanted),
      replaceIn: (tx: Transaction, wanted: WholeChain) => replaceChainIn(deps, tx, wanted),
      deleteIn: deleteChainIn,
      findAccess: findChainAccess,
      findRunRights: createFindRunRights({ db, rowChanges }),
      openForRun: (wanted: WantedChain) => openChainForRun(deps, wanted),
      requireEditable,
      requireLabel,
      requireVisible: (wanted: ForViewer) => requireVisibleChain(deps, wanted),
      references: createChainReferencesService({ db }),
      port: chainPort,
    },
    routes: [
      chainsRoutes(deps),
      chainOffersRoutes({ offers: createChainOffersService({ db }) }),
      chainStepsRoutes(deps),
    ],
  }
}
