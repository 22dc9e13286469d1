import { slot } from '../../platform/context.ts'
import type { Platform } from '../../platform/platform.ts'
import type { ModelRegistry } from '../models/models.ts'
import { chainOffersRoutes } from './chain-offers.routes.ts'
import { createChainOffersService } from './chain-offers.service.ts'
import { chainPort } from './chain-port.service.ts'
import { createChainReferencesService } from './chain-references.service.ts'
import { chainStepsRoutes } from './chain-steps.routes.ts'
import { chainsRoutes } from './chains.routes.ts'
import type { ChainsDeps } from './chains-deps.ts'
import { addExample, createChainIn, deleteChainIn } from './operations/change-chain.ts'
import { openChainForRun, requireLabel, type WantedChain } from './operations/open-chain-for-run.ts'
import {
  type ForViewer,
  findChainAccess,
  requireEditable,
  requireVisibleChain,
} from './operations/read-chains.ts'
import { replaceChainIn } from './operations/replace-chain.ts'
import { createFindRunRights } from './operations/run-rights.ts'

export type { StepFields } from './chain-record.ts'
export type { FrozenLinks, RunnableChain, WantedChain } from './operations/open-chain-for-run.ts'
export type { ChainRights } from './operations/read-chains.ts'
export type { RunRights } from './operations/run-rights.ts'
export type ChainsService = ReturnType<typeof createChains>['service']
export const chainsSlot = slot<ChainsService>()

interface Features {
  registry: Pick<ModelRegistry, 'requireChosen'>
}

/** Prompts in a row. */
export function createChains(
  { db, rowChanges }: Pick<Platform, 'db' | 'rowChanges'>,
  { registry }: Features,
) {
  const deps: ChainsDeps = { db, registry }
  return {
    service: {
      addExample,
      createIn: createChainIn,
      replaceIn: replaceChainIn,
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
