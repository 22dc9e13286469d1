import { MODEL_ALIASES, type ModelStatus, type User } from '@catenary/contracts'
import { formatUsd } from '@catenary/domain'
import type { Database } from '../../db/executor.ts'
import { AppError, fieldError } from '../../errors.ts'
import { ModelError } from '../../platform/models/model-error.ts'
import type { ModelCall } from '../../platform/models/model-types.ts'
import type { Models } from '../../platform/models/models.ts'
import { isAdminNow } from './model-lists.repository.ts'
import type { ModelSpending } from './model-spending.service.ts'
import type { RegisteredModel, Registry } from './registry.service.ts'

/** What a prompt or a step says of its models. */
interface NamedModels {
  model?: string | null | undefined
  fallbackModel?: string | null | undefined
  moreFallbackModels?: readonly string[] | null | undefined
}

interface AccessDeps {
  db: Database
  models: Pick<Models, 'describe'>
  registry: Pick<Registry, 'now'>
  spending: Pick<ModelSpending, 'ofMonth'>
}

export type ModelAccess = ReturnType<typeof createModelAccess>

/** Which models there are for whom. */
export function createModelAccess({ db, models, registry, spending }: AccessDeps) {
  /** Whether it is in the person's list: their own, else everyone's. Admins aside. */
  function isListed({ id, isForEveryone }: RegisteredModel, userId: number | undefined): boolean {
    const own = userId === undefined ? undefined : registry.now().ownLists.get(userId)
    return own === undefined ? isForEveryone : own.has(id)
  }

  function mayUse(alias: string, user: User | null): boolean {
    const model = registry.now().byAlias.get(alias)
    return model === undefined || user?.role === 'admin' || isListed(model, user?.id)
  }

  /** Throws `invalid` at the field for an alias that no model has; one of the environment's has it also while it is not set up. */
  function requireKnown({ alias, path }: { alias: string; path: string }): void {
    const aliases = models.describe().map((model) => model.alias)
    if ([...aliases, ...MODEL_ALIASES].includes(alias)) return
    if (registry.now().byAlias.has(alias)) throw fieldError(path, switchedOff(alias))
    throw fieldError(path, `There is no model ${alias}. Choose one of ${aliases.join(', ')}.`)
  }

  /** Throws `forbidden` for the first that the person may not use. One that is not there fails once it is asked. */
  function requireAllowed(user: User, aliases: Iterable<string>): void {
    for (const alias of aliases)
      if (!mayUse(alias, user)) {
        throw new AppError('forbidden', notAllowed(alias), { details: 'model_forbidden' })
      }
  }

  return {
    requireKnown,

    /**
     * The same for what is chosen anew, and throws `forbidden` for what the person may not use: what stood there stays,
     * whoever chose it and whether it went away. Each of them may come once.
     */
    requireChosen({
      fields,
      user,
      before = {},
    }: {
      fields: NamedModels
      /** Who saves it. */
      user: User
      before?: NamedModels
    }): void {
      const kept = aliasesIn(before).map(({ alias }) => alias)
      const anew = aliasesIn(fields).filter(({ alias }) => !kept.includes(alias))
      for (const named of anew) requireKnown(named)
      requireAllowed(
        user,
        anew.map(({ alias }) => alias),
      )
      const { model = before.model, fallbackModel = before.fallbackModel } = fields
      const { moreFallbackModels = before.moreFallbackModels } = fields
      const chosen = aliasesIn({ model, fallbackModel, moreFallbackModels })
      if (JSON.stringify(chosen) !== JSON.stringify(aliasesIn(before))) requireOnce(chosen)
    },

    requireAllowed,

    /** What a person may use, a guest what is everyone's, in order. */
    listFor: (user: User | null): ModelStatus[] =>
      models.describe().filter(({ alias }) => mayUse(alias, user)),

    /** Throws `ModelError` where a call must not be made: for whom it is, or because its model's month is spent. */
    async requireCallable({ alias, userId }: Pick<ModelCall, 'alias' | 'userId'>): Promise<void> {
      const model = registry.now().byAlias.get(alias)
      if (model === undefined) return
      if (!model.isEnabled) {
        throw new ModelError({ code: 'model_not_configured', alias, message: switchedOff(alias) })
      }
      if (userId !== undefined && !isListed(model, userId) && !(await isAdminNow(db, userId))) {
        throw new ModelError({ code: 'model_forbidden', alias, message: notAllowed(alias) })
      }
      const { monthlyLimitNanos: most } = model
      if (most !== null && (await spending.ofMonth(alias)) >= most) {
        throw new ModelError({ code: 'budget_spent', alias, message: spent(alias, most) })
      }
    },
  }
}

const notAllowed = (alias: string) => `You may not use the model ${alias}. An administrator can allow it.`
const switchedOff = (alias: string) =>
  `The model ${alias} is switched off. An administrator can switch it on.`
const spent = (alias: string, most: number) =>
  `The ${formatUsd(most)} a month for the model ${alias} have been spent. The next month begins on its first day at 00:00 UTC; ` +
  'an administrator can raise it before.'

/** Throws `invalid` at the field of a fallback that is asked before it already. */
function requireOnce(chosen: ReturnType<typeof aliasesIn>): void {
  chosen.forEach(({ path, alias }, index) => {
    const earlier = chosen.slice(0, index).find((other) => other.alias === alias)
    if (earlier === undefined) return
    const is = earlier.path === 'model' ? 'the model itself' : 'a fallback already'
    throw fieldError(path, `${alias} is ${is}. Choose another one.`)
  })
}

function aliasesIn({ model, fallbackModel, moreFallbackModels }: NamedModels) {
  return [
    { path: 'model', alias: model },
    { path: 'fallbackModel', alias: fallbackModel },
    ...(moreFallbackModels ?? []).map((alias) => ({ path: 'moreFallbackModels', alias })),
  ].flatMap(({ path, alias }) => (alias == null ? [] : [{ path, alias }]))
}
