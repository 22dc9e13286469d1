import { MODEL_ALIASES, MODELS, neededSetting, PROVIDER_KINDS } from '@catenary/contracts'
import type { ModelPrice } from '@catenary/domain'
import { ModelError } from './model-error.ts'
import {
  DEFAULT_LIMITS,
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

/** The models behind their aliases. */
export interface Models {
  /** True while the offline stand-in answers instead of the providers. */
  readonly sandboxActive: boolean
  describe(): ModelDescription[]
  /** What the model charges that is asked for; null: not known. */
  priceOf(alias: string): ModelPrice | null
  /** Yields the texts as they come and then `done`; throws `ModelError`. Leaving the loop stops the upstream. */
  stream(call: ModelCall): AsyncGenerator<ModelEvent, void>
  /** Answers in one piece; throws `ModelError`. */
  generate(call: ModelCall): Promise<ModelResult>
  /** Ends every connection to the providers, and every wait for them. */
  close(): Promise<void>
}

/** What the models need; time, chance and bounds have defaults. */
export interface ModelsOptions {
  settings: ModelsSettings
  log: { warn(details: object, message: string): void }
  onRetry?: (notice: RetryNotice) => void
  clock?: Clock
  random?: () => number
  limits?: Partial<ModelLimits>
  sandboxChunkDelayMs?: number
}

/** Builds the one way to call a model. */
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
  const known = sourcesOf(settings)
  const noneConfigured = known.every(({ configured }) => !configured)
  const sandboxActive = settings.sandbox === 'on' || (settings.sandbox === 'auto' && noneConfigured)
  const targets = new Map<string, ModelTarget>()
  for (const source of known) {
    if (sandboxActive) {
      targets.set(source.alias, createSandboxTarget({ source, clock, chunkDelayMs: sandboxChunkDelayMs }))
    } else if (source.configured) {
      targets.set(source.alias, createProviderTarget({ source, limits, pools, clock }))
    }
  }

  const run = ({ call, streamed }: { call: ModelCall; streamed: boolean }) => {
    const target = targets.get(call.alias)
    if (target === undefined) throw notConfigured(call.alias)
    const noticeRetry = (notice: RetryNotice) => {
      log.warn(notice, 'model call is tried again')
      onRetry?.(notice)
    }
    const { prices } = settings
    return runCall({ target, call, streamed, limits, clock, random, prices, noticeRetry, pauses })
  }

  return {
    sandboxActive,
    describe: () =>
      known.map(({ alias, label, kind, configured, neededName, settings: { modelId } }) => ({
        alias,
        label,
        configured,
        keyVariable: neededName,
        provider: targets.get(alias)?.provider ?? PROVIDER_KINDS[kind].provider,
        modelId: targets.get(alias)?.modelId ?? modelId,
      })),
    priceOf(alias) {
      const target = targets.get(alias)
      if (target === undefined) return null
      if (target.provider === 'sandbox') return FREE
      return findPrice({ modelId: target.modelId, overrides: settings.prices ?? {} })
    },
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

/** The models of the environment, in the order of their table. */
function sourcesOf(settings: ModelsSettings): ModelSource[] {
  return MODEL_ALIASES.flatMap((alias) => {
    const own = settings[alias]
    const { label, kind, needs, settings: names } = MODELS[alias]
    if (own === undefined) return []
    const source = {
      alias,
      kind,
      label: own.label ?? label,
      settings: own,
      configured: Boolean(own[needs]),
      keyName: names.apiKey,
      addressName: names.baseUrl,
      neededName: neededSetting(alias),
    }
    return [source]
  })
}

function notConfigured(alias: string): ModelError {
  const known = MODEL_ALIASES.find((one) => one === alias)
  return new ModelError({
    code: 'model_not_configured',
    alias,
    message:
      known === undefined
        ? `There is no model ${alias} in this version of Catenary.`
        : `${MISSING[MODELS[known].needs]} not configured for ${alias}. Set ${neededSetting(known)}.`,
  })
}

const MISSING = { apiKey: 'API key', baseUrl: 'Address' }
