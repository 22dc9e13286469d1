import type { Database } from '../../db/executor.ts'
import { type RowChanges, readThroughCache } from '../../platform/cache/read-through-cache.ts'
import type { ModelRegistry } from '../models/models.ts'
import type { TagsService } from '../tags/tags.ts'
import { preparePromptLists } from './prompt-lists.repository.ts'
import { preparePromptTallies } from './prompt-tallies.repository.ts'
import { preparePromptWithShares } from './prompts.repository.ts'

/** Characters of all prompts that are kept in memory. */
const CHARACTERS_KEPT = 8_000_000
/** About what a prompt takes beside its text. */
const PROMPT_OVERHEAD = 1_000

interface Given {
  db: Database
  tags: Pick<TagsService, 'requireAll'>
  registry: Pick<ModelRegistry, 'requireChosen'>
  rowChanges: RowChanges
}

export type PromptsDeps = ReturnType<typeof promptsDeps>

/** What the operations of prompts work with. */
export function promptsDeps({ db, registry, tags, rowChanges }: Given) {
  const load = preparePromptWithShares(db)
  return {
    db,
    registry,
    tags,
    lists: preparePromptLists(db),
    readTallies: preparePromptTallies(db),
    /** Past the memory. */
    load,
    findCached: readThroughCache({
      rowChanges,
      load,
      rowsOf: (prompt) => [
        `prompts:${prompt.id}`,
        `users:${prompt.ownerId}`,
        `categories:${prompt.categoryId}`,
        ...prompt.tags.map(({ id }) => `tags:${id}` as const),
      ],
      capacity: CHARACTERS_KEPT,
      sizeOf: ({ content }) => content.length + PROMPT_OVERHEAD,
    }),
  }
}
