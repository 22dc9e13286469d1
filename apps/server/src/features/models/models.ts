import { slot } from '../../platform/context.ts'
import type { Platform } from '../../platform/platform.ts'
import { limitModels } from './limit-models.ts'
import { createModelAccess } from './model-access.service.ts'
import { createModelLists } from './model-lists.service.ts'
import { createModelSpending } from './model-spending.service.ts'
import { createModelTestsService } from './model-tests.service.ts'
import { modelsRoutes } from './models.routes.ts'
import type { ModelsDeps } from './models-deps.ts'
import { providersRoutes } from './providers.routes.ts'
import { createRegistry } from './registry.service.ts'

export { createModelTestsService, type ModelTestsService } from './model-tests.service.ts'
export { sealedProviderKeys } from './sealed-keys.repository.ts'
export type ModelRegistry = Awaited<ReturnType<typeof createModelRegistry>>['service']
export const registrySlot = slot<ModelRegistry>()

type Parts = 'db' | 'log' | 'models' | 'now' | 'rowChanges' | 'secrets'

/** The models of the environment and of admins: how they are asked, by whom, and what they may cost. */
export async function createModelRegistry(platform: Pick<Platform, Parts>) {
  const { db, models, secrets } = platform
  const registry = await createRegistry(platform)
  const spending = createModelSpending(platform)
  const access = createModelAccess({ db, models, registry, spending })
  const tests = createModelTestsService({ models })
  const deps: ModelsDeps = { db, models, registry, spending, secrets }
  const { requireKnown, requireChosen, requireAllowed, listFor } = access
  return {
    service: {
      requireKnown,
      requireChosen,
      requireAllowed,
      listFor,
      /** The same models, within what admins allow. */
      models: limitModels(models, { access, spending }),
      tests,
    },
    routes: [
      modelsRoutes({ access, deps, lists: createModelLists({ db, registry }), tests }),
      providersRoutes(deps),
    ],
    start: async () => registry.start(),
    close: async () => {
      await Promise.all([registry.close(), spending.close()])
    },
  }
}
