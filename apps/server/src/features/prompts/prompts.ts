import { setImmediate } from 'node:timers/promises'
import type { User } from '@catenary/contracts'
import type { Transaction } from '../../db/executor.ts'
import { slot } from '../../platform/context.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Change } from '../../record-access.ts'
import type { ModelRegistry } from '../models/models.ts'
import type { TagsService } from '../tags/tags.ts'
import { createPromptIn, deletePromptIn, type NewPrompt, savePromptIn } from './operations/change-prompt.ts'
import { countByCategory } from './operations/list-prompts.ts'
import { createPromptsIn, deletePromptsIn, type ManyPrompts } from './operations/many-prompts.ts'
import {
  listVisibleClips,
  readPrompt,
  readPromptVersion,
  type WantedPrompt,
  type WantedPromptVersion,
} from './operations/read-prompts.ts'
import { promptOffersRoutes } from './prompt-offers.routes.ts'
import { createPromptOffersService } from './prompt-offers.service.ts'
import { createPromptPort } from './prompt-port.service.ts'
import { createPromptReferencesService } from './prompt-references.service.ts'
import { keepPromptSearch } from './prompt-search.repository.ts'
import { promptsRoutes } from './prompts.routes.ts'
import { promptsDeps } from './prompts-deps.ts'

export { lockLinkedText, type PromptLink, readLinkedTexts } from './operations/link-prompts.ts'
export { lockVisiblePrompts } from './operations/read-prompts.ts'
export { openForChange as openPromptForChange } from './prompt-access.service.ts'
export type PromptsService = ReturnType<typeof createPrompts>['service']
export const promptsSlot = slot<PromptsService>()

/** For prompts that the version before saves, while it runs beside this one. */
const SEARCH_SECONDS = 300

interface Features {
  registry: Pick<ModelRegistry, 'requireChosen'>
  tags: Pick<TagsService, 'requireAll'>
}

/** Texts that are run against a model. */
export function createPrompts(
  { db, jobs, rowChanges }: Pick<Platform, 'db' | 'jobs' | 'rowChanges'>,
  { registry, tags }: Features,
) {
  const deps = promptsDeps({ db, registry, tags, rowChanges })
  jobs.queue('search').work({
    repeatSeconds: SEARCH_SECONDS,
    atStart: 'unread',
    handle: async () => {
      while ((await keepPromptSearch(db)) > 0) await setImmediate()
    },
  })
  return {
    service: {
      countByCategory: (viewer: User | null) => countByCategory(deps, viewer),
      createIn: (tx: Transaction, wanted: NewPrompt) => createPromptIn(deps, tx, wanted),
      createManyIn: (tx: Transaction, wanted: ManyPrompts) => createPromptsIn(deps, tx, wanted),
      saveIn: (tx: Transaction, wanted: Change & { fields: Partial<NewPrompt['fields']> }) =>
        savePromptIn(deps, tx, { ...wanted, isShown: false }),
      deleteIn: deletePromptIn,
      deleteManyIn: deletePromptsIn,
      find: (wanted: WantedPrompt) => readPrompt(deps, wanted),
      findVersion: (wanted: WantedPromptVersion) => readPromptVersion(deps, wanted),
      listVisibleClips,
      references: createPromptReferencesService({ db }),
      port: createPromptPort(deps),
    },
    routes: [promptsRoutes(deps), promptOffersRoutes({ offers: createPromptOffersService({ db }) })],
  }
}
