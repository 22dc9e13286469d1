import type { Platform } from '../../platform/platform.ts'
import { tagsRoutes } from './tags.routes.ts'
import { createTagsService } from './tags.service.ts'

export type TagsService = ReturnType<typeof createTags>['service']

/** The tags of prompts, chains and variables. */
export function createTags({ db }: Pick<Platform, 'db'>) {
  const tags = createTagsService({ db })
  return {
    service: { requireAll: tags.requireAll, idsOf: tags.idsOf },
    routes: [tagsRoutes({ tags })],
    start: tags.keepKeys,
  }
}
