import { DEFAULT_MODEL, type ModelAlias } from '@catenary/contracts'
import { type KnownModel, usualOf } from '../../model-settings/models.ts'

/** The model that an address or an earlier run names, where it can be chosen; else the default, or the first that is set up. */
export function modelOf({
  name,
  own = null,
  models,
}: {
  name: string | null
  /** What the person begins with. */
  own?: string | null
  models: readonly KnownModel[]
}): ModelAlias {
  const named = models.find(({ alias }) => alias === name)
  const chosen = models.find(({ alias, configured }) => configured && alias === own)
  return (named ?? chosen ?? usualOf(models))?.alias ?? DEFAULT_MODEL
}
