import { fieldError } from '../../errors.ts'
import type { Models } from '../../platform/models/models.ts'

export type ModelAccess = ReturnType<typeof createModelAccess>

/** What a request may name as its model. */
export function createModelAccess({ models }: { models: Pick<Models, 'describe'> }) {
  return {
    /** Throws `invalid` at the field for an alias that no model has; one without its key is one of them. */
    requireKnown({ alias, path }: { alias: string; path: string }): void {
      const aliases = models.describe().map((model) => model.alias)
      if (aliases.includes(alias)) return
      throw fieldError(path, `There is no model ${alias}. Choose one of ${aliases.join(', ')}.`)
    },
  }
}
