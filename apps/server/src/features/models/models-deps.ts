import type { User } from '@catenary/contracts'
import type { Database } from '../../db/executor.ts'
import type { Models } from '../../platform/models/models.ts'
import type { SecretBox } from '../../platform/secrets/secret-box.ts'
import type { ModelSpending } from './model-spending.service.ts'
import type { Registry } from './registry.service.ts'

/** What the operations of the registry work with. */
export interface ModelsDeps {
  db: Database
  models: Models
  registry: Pick<Registry, 'now' | 'refresh'>
  spending: Pick<ModelSpending, 'list'>
  secrets: SecretBox
}

/** What is changed, by which admin. */
export interface Wanted {
  id: number
  user: User
}
