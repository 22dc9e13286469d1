import { isDeepStrictEqual } from 'node:util'
import {
  type EnvironmentAlias,
  MODEL_ALIASES,
  MODELS,
  neededSetting,
  PROVIDER_KINDS,
} from '@catenary/contracts'
import type { ModelPrice } from '@catenary/domain'
import { capabilitiesOf, contextTokensOf, outputTokensOf } from './default-models.ts'
import { listModelsOf } from './list-models.ts'
import { ModelError } from './model-error.ts'
import {
  DEFAULT_LIMITS,
  type ListedProvider,
  type ModelCall,
  type ModelDescription,
  type ModelEvent,
  type ModelLimits,
  type ModelResult,
  type ModelSource,
  type ModelsSettings,
  type ModelTarget,
  type RetryNotice,
} from './model-types.ts'
import { findPrice } from './prices.ts'
import { createProviderPauses } from './provider-pause.ts'
import { createProviderPools } from './provider-reply.ts'
import { createProviderTarget } from './provider-target.ts'
import { type Clock, systemClock } from './retry.ts'
import { runCall } from './run-call.ts'
import { createSandboxTarget } from './sandbox-target.ts'

const SANDBOX_CHUNK_DELAY_MS = 20
const FREE: ModelPrice = { inputPerMillionUsd: 0, outputPerMillionUsd: 0 }

export interface Models {
  isSandbox(): boolean
  /** The models of the settings, in order: those that are asked until others take their place. */
  readonly environment: readonly ModelSource[]
  describe(): ModelDescription[]
  /** From now on these models are asked, in their order, in place of those before; calls under way go on. */
  replaceSources(sources: readonly ModelSource[]): void
  listOf(provider: ListedProvider, label: string): Promise<string[]>
  addressOf(alias: string): string | null
  priceOf(alias: string): ModelPrice | null
  usualPriceOf(modelId: string): ModelPrice | null
  /** Yields the texts as they come and then `done`; throws `ModelError`. Leaving the loop stops the upstream. */
  stream(call: ModelCall): AsyncGenerator<ModelEvent, void>
  generate(call: ModelCall): Promise<ModelResult>
  close(): Promise<void>
}

export interface ModelsOptions {
  settings: ModelsSettings
  log: { warn(details: object, message: string): void }
  onRetry?: (notice: RetryNotice) => void
  clock?: Clock
  random?: () => number
  limits?: Partial<ModelLimits>
  sandboxChunkDelayMs?: number
}

interface KnownModel {
  source: ModelSource
  target: ModelTarget | undefined
}

interface Prepared {
  isSandbox: boolean
  known: Map<string, KnownModel>
  described: ModelDescription[]
}

export function createModels({
  settings,
  log,
  onRetry,
  clock = systemClock,
  random = Math.random,
  limits: limitOverrides,
  sandboxChunkDelayMs = SANDBOX_CHUNK_DELAY_MS,
}: ModelsOptions): Models {
  const limits = { ...DEFAULT_LIMITS, ...settings.limits, ...limitOverrides }
  const pools = createProviderPools()
  const pauses = createProviderPauses({ clock })
  const environment = environmentModels(settings)
  let now = prepare(environment)

  /** Targets of sources that stay as they are stay too. */
  function prepare(sources: readonly ModelSource[], before?: Prepared): Prepared {
    const noneConfigured = sources.every(({ configured }) => !configured)
    const isSandbox = settings.sandbox === 'on' || (settings.sandbox === 'auto' && noneConfigured)
    const toTarget = (source: ModelSource): ModelTarget =>
      isSandbox
        ? createSandboxTarget({ source, clock, chunkDelayMs: sandboxChunkDelayMs })
        : createProviderTarget({ source, limits, pools, clock })
    const known = new Map<string, KnownModel>()
    for (const source of sources) {
      const kept = before?.isSandbox === isSandbox ? before.known.get(source.alias) : undefined
      const isKept = kept !== undefined && isDeepStrictEqual(kept.source, source)
      const isAsked = isSandbox || source.configured
      known.set(source.alias, isKept ? kept : { source, target: isAsked ? toTarget(source) : undefined })
    }
    return { isSandbox, known, described: [...known.values()].map(describe) }
  }

  const usualPriceOf = (modelId: string) => findPrice({ modelId, overrides: settings.prices ?? {} })

  const run = ({ call, streamed }: { call: ModelCall; streamed: boolean }) => {
    const { target, source } = now.known.get(call.alias) ?? {}
    if (target === undefined || source === undefined) throw notConfigured(call.alias, source)
    refuseUnseen(call, source)
    if (call.schema && !now.isSandbox && !source.capabilities.jsonSchema) throw withoutSchemas(source)
    const noticeRetry = (notice: RetryNotice) => {
      log.warn(notice, 'model call is tried again')
      onRetry?.(notice)
    }
    const { prices } = settings
    return runCall({ target, call, streamed, limits, clock, random, prices, noticeRetry, pauses })
  }

  return {
    isSandbox: () => now.isSandbox,
    environment,
    describe: () => now.described,
    replaceSources(sources) {
      now = prepare(sources, now)
    },
    listOf: (provider, label) => listModelsOf({ provider, label, pools }),
    addressOf: (alias) => now.known.get(alias)?.target?.address || null,
    priceOf(alias) {
      const target = now.known.get(alias)?.target
      if (target === undefined) return null
      if (target.provider === 'sandbox') return FREE
      return target.ownPrice ?? usualPriceOf(target.modelId)
    },
    usualPriceOf,
    async *stream(call) {
      yield* run({ call, streamed: true })
    },
    async generate(call) {
      for await (const event of run({ call, streamed: false })) {
        if (event.type === 'done') {
          const { type: _, ...result } = event
          return result
        }
      }
      throw new Error('a call ends with done or throws')
    },
    close() {
      pauses.close()
      return pools.close()
    },
  }
}

function describe({ source, target }: KnownModel): ModelDescription {
  const { alias, label, kind, configured, neededName, settings, capabilities, contextTokens } = source
  return {
    alias,
    label,
    configured,
    keyVariable: neededName,
    provider: target?.provider ?? PROVIDER_KINDS[kind].provider,
    modelId: target?.modelId ?? settings.modelId,
    capabilities,
    contextTokens,
    outputTokens: outputTokensOf(settings.modelId),
  }
}

/** What the model can't see is never left out in silence. */
function refuseUnseen(call: ModelCall, { alias, label, capabilities: sees }: ModelSource): void {
  for (const { content } of call.messages ?? []) {
    if (typeof content === 'string') continue
    const unseen = content.find(
      (part) => (part.type === 'image' && !sees.images) || (part.type === 'document' && !sees.documents),
    )
    if (unseen === undefined || unseen.type === 'text') continue
    const kinds = unseen.type === 'image' ? 'images' : 'PDFs'
    throw new ModelError({
      code: 'model_unable',
      alias,
      message: `${label} can’t see ${kinds}, and ${unseen.fileName} is one. Choose another model.`,
    })
  }
}

function withoutSchemas({ alias, label }: ModelSource): ModelError {
  const message = `${label} can’t answer in JSON by a schema. Choose another model.`
  return new ModelError({ code: 'model_unable', alias, message })
}

function notConfigured(alias: string, source: ModelSource | undefined): ModelError {
  const ofEnvironment = MODEL_ALIASES.find((one) => one === alias)
  const missing = ofEnvironment === undefined ? 'API key' : MISSING[MODELS[ofEnvironment].needs]
  const needed = source?.neededName ?? (ofEnvironment && neededSetting(ofEnvironment))
  return new ModelError({
    code: 'model_not_configured',
    alias,
    message:
      needed === undefined
        ? `There is no model ${alias} in this version of Catenary.`
        : `${missing} not configured for ${alias}. Set ${needed}.`,
  })
}

const MISSING = { apiKey: 'API key', baseUrl: 'Address' }

function environmentModels(settings: ModelsSettings): ModelSource[] {
  return MODEL_ALIASES.flatMap((alias) => toSource(settings, alias) ?? [])
}

function toSource(settings: ModelsSettings, alias: EnvironmentAlias): ModelSource | undefined {
  const own = settings[alias]
  if (own === undefined) return undefined
  const { label, kind, needs, settings: names } = MODELS[alias]
  const { modelId } = own
  return {
    alias,
    kind,
    label: own.label ?? label,
    settings: own,
    configured: Boolean(own[needs]),
    keyName: names.apiKey,
    addressName: names.baseUrl,
    neededName: neededSetting(alias),
    reach: 'any',
    capabilities: capabilitiesOf({ kind, modelId }),
    contextTokens: contextTokensOf(modelId),
    ownPrice: null,
  }
}
