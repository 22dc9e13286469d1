import type { Database } from '../../db/executor.ts'
import type { ModelRegistry } from '../models/models.ts'
import type { TagsService } from '../tags/tags.ts'

/** What the operations of chains work with. */
export interface ChainsDeps {
  db: Database
  tags: Pick<TagsService, 'requireAll'>
  registry: Pick<ModelRegistry, 'requireChosen'>
}
