import { EVERYONE_ID, MODEL_ALIASES, MODELS, PROVIDER_KINDS } from '@catenary/contracts'
import type { Database } from '../../database/statements/executor.ts'
import { createTableReader } from '../../platform/cache/table-reader.ts'
import { type Context, onePerApp } from '../../platform/context.ts'
import { capabilitiesOf, contextTokensOf } from '../../platform/models/default-models.ts'
import type { ModelSource } from '../../platform/models/model-types.ts'
import { withCachedPrice } from '../../platform/models/prices.ts'
import type { SecretBox } from '../../platform/secrets/secret-box.ts'
import {
  addEnvironmentRows,
  listGivenModels,
  listGroupLists,
  listModels,
  listOwnLists,
  listProviders,
  type ModelRow,
  type PriceRow,
  type ProviderRow,
} from './models.sql.ts'
import { openKey } from './provider-keys.ts'

const PLACE = 'in Settings → Models'

export interface RegisteredModel extends ModelRow {
  provider: ProviderRow
  source: ModelSource | undefined
}

interface Snapshot {
  providers: readonly ProviderRow[]
  models: readonly RegisteredModel[]
  byAlias: ReadonlyMap<string, RegisteredModel>
  ownLists: ReadonlyMap<number, ReadonlySet<number>>
  /** What groups give beside everyone's list: to each of their members, and to everyone with an account. */
  given: { byPerson: ReadonlyMap<number, ReadonlySet<number>>; toAll: ReadonlySet<number> }
}

export const registry = onePerApp(createRegistry)

function createRegistry({ db, rowChanges, secrets, models, log }: Context<Database>) {
  let snapshot: Snapshot = {
    providers: [],
    models: [],
    byAlias: new Map(),
    ownLists: new Map(),
    given: { byPerson: new Map(), toAll: new Set() },
  }

  async function read(): Promise<void> {
    const [providers, rows, lists, groupLists, given] = await Promise.all([
      listProviders(db),
      listModels(db),
      listOwnLists(db),
      listGroupLists(db),
      listGivenModels(db),
    ])
    const toAll = groupLists.find(({ groupId }) => groupId === EVERYONE_ID)
    const registered = rows.flatMap((row): RegisteredModel[] => {
      const provider = providers.find(({ id }) => id === row.providerId)
      return provider
        ? [
            {
              ...row,
              provider,
              source: toSource({ row, provider, secrets, environment: models.environment }),
            },
          ]
        : []
    })
    snapshot = {
      providers,
      models: registered,
      byAlias: new Map(registered.map((model) => [model.alias, model])),
      ownLists: new Map(lists.map(({ userId, modelIds }) => [userId, new Set(modelIds)])),
      given: {
        byPerson: new Map(given.map(({ userId, modelIds }) => [userId, new Set(modelIds)])),
        toAll: new Set(toAll?.modelIds),
      },
    }
    models.replaceSources(
      registered.flatMap(({ isEnabled, source }) => (isEnabled && source !== undefined ? [source] : [])),
    )
  }

  const reader = createTableReader({ table: 'models', rowChanges, log, read })

  return {
    ...reader,
    now: (): Snapshot => snapshot,
    async begin(): Promise<void> {
      await addEnvironmentRows(
        db,
        MODEL_ALIASES.map((alias) => {
          const { kind } = MODELS[alias]
          return { alias, kind, name: PROVIDER_KINDS[kind].label }
        }),
      )
      await reader.begin()
    },
  }
}

interface Row {
  row: ModelRow & { price: PriceRow | null }
  provider: ProviderRow
  secrets: SecretBox
  environment: readonly ModelSource[]
}

function toSource({ row, provider, secrets, environment }: Row): ModelSource | undefined {
  const { alias, capabilities: own, contextTokens } = row
  const base = baseOf({ row, provider, secrets, environment })
  if (base === undefined) return undefined
  const { kind } = provider
  const { modelId } = base.settings
  return {
    ...base,
    alias,
    capabilities: { ...capabilitiesOf({ kind, modelId }), ...own },
    contextTokens: contextTokens ?? contextTokensOf(modelId),
    ownPrice: toPrice({ price: row.price, modelId }),
  }
}

type Base = Omit<ModelSource, 'alias' | 'capabilities' | 'contextTokens' | 'ownPrice'>

function baseOf({ row: { label, modelId }, provider, secrets, environment }: Row): Base | undefined {
  const { kind, baseUrl, environmentAlias } = provider
  if (environmentAlias !== null) {
    const base = environment.find(({ alias }) => alias === environmentAlias)
    if (base === undefined || modelId === null) return base
    return { ...base, label: label ?? base.label, settings: { ...base.settings, modelId } }
  }
  if (baseUrl === null || modelId === null) return undefined
  const apiKey = openKey(secrets, provider)
  return {
    kind,
    label: label ?? modelId,
    settings: { apiKey, baseUrl, modelId },
    configured: apiKey !== undefined || kind === 'compatible',
    keyName: `the key of ${provider.name} ${PLACE}`,
    addressName: `the address of ${provider.name} ${PLACE}`,
    neededName: `the key of ${provider.name} ${PLACE}`,
    reach: provider.allowsPrivateAddress ? 'own' : 'public',
  }
}

function toPrice({ price, modelId }: { price: PriceRow | null; modelId: string }) {
  if (price === null || price.input === null || price.output === null) return null
  const { input, output, cached } = price
  const own = { inputPerMillionUsd: input, outputPerMillionUsd: output }
  return withCachedPrice({
    modelId,
    price: cached === null ? own : { ...own, cachedInputPerMillionUsd: cached },
  })
}
