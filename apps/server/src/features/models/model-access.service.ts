import { MODEL_ALIASES } from '@catenary/contracts'
import { fieldError } from '../../errors.ts'
import type { Models } from '../../platform/models/models.ts'

/** What a prompt or a step says of its models. */
interface NamedModels {
  model?: string | null | undefined
  fallbackModel?: string | null | undefined
  moreFallbackModels?: readonly string[] | null | undefined
}

/** What a request may name as its model. */
export function createModelAccess({ models }: { models: Pick<Models, 'describe'> }) {
  /** Throws `invalid` at the field for an alias that no model has; one of the environment's has it also while it is not set up. */
  function requireKnown({ alias, path }: { alias: string; path: string }): void {
    const aliases = models.describe().map((model) => model.alias)
    if ([...aliases, ...MODEL_ALIASES].includes(alias)) return
    throw fieldError(path, `There is no model ${alias}. Choose one of ${aliases.join(', ')}.`)
  }

  return {
    requireKnown,

    /** The same for what is chosen anew: a model that went away stays where it is. */
    requireChosen({ fields, before = {} }: { fields: NamedModels; before?: NamedModels }): void {
      const kept = aliasesIn(before).map(({ alias }) => alias)
      for (const named of aliasesIn(fields)) if (!kept.includes(named.alias)) requireKnown(named)
    },
  }
}

function aliasesIn({ model, fallbackModel, moreFallbackModels }: NamedModels) {
  return [
    { path: 'model', alias: model },
    { path: 'fallbackModel', alias: fallbackModel },
    ...(moreFallbackModels ?? []).map((alias) => ({ path: 'moreFallbackModels', alias })),
  ].flatMap(({ path, alias }) => (alias == null ? [] : [{ path, alias }]))
}
