import type { Database } from '../../db/executor.ts'
import type { ModelRegistry } from '../models/models.ts'

/** What the operations of chains work with. */
export interface ChainsDeps {
  db: Database
  registry: Pick<ModelRegistry, 'requireChosen'>
}
