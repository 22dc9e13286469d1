import type { Platform } from '../../platform/platform.ts'
import type { TagsService } from '../tags/tags.ts'
import { createPromptLinks } from './prompt-links.service.ts'
import { promptPort } from './prompt-port.service.ts'
import { createPromptReferencesService } from './prompt-references.service.ts'
import { promptsRoutes } from './prompts.routes.ts'
import { createPromptsService } from './prompts.service.ts'

export { openForChange as openPromptForChange } from './prompt-access.service.ts'
export type { PromptLink } from './prompt-links.service.ts'
export type PromptsService = ReturnType<typeof createPrompts>['service']

interface Features {
  tags: Pick<TagsService, 'requireAll'>
}

/** Texts that are run against a model. */
export function createPrompts({ db, rowChanges }: Pick<Platform, 'db' | 'rowChanges'>, { tags }: Features) {
  const prompts = createPromptsService({ db, tags, rowChanges })
  const { countByCategory, createIn, deleteIn, find, findVersion } = prompts
  const { listVisibleClips, lockVisible } = prompts
  return {
    service: {
      countByCategory,
      createIn,
      deleteIn,
      find,
      findVersion,
      listVisibleClips,
      lockVisible,
      links: createPromptLinks(),
      references: createPromptReferencesService({ db }),
      port: promptPort,
    },
    routes: [promptsRoutes({ prompts })],
  }
}
