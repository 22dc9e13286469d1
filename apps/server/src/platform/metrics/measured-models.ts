import { ModelError } from '../models/model-error.ts'
import type { ModelCall, ModelResult } from '../models/model-types.ts'
import type { Models } from '../models/models.ts'
import type { Metrics } from './metrics.ts'

/** The same models, with each call's duration and first text in the metrics. */
export function measureModels(models: Models, metrics: Metrics): Models {
  const providers = new Map<string, string>(models.describe().map(({ alias, provider }) => [alias, provider]))
  const answered = ({ provider, durationMs, firstTokenMs }: ModelResult): void => {
    metrics.modelCallEnded({ provider, outcome: 'completed' }, durationMs / 1000)
    metrics.modelBeganToAnswer({ provider }, firstTokenMs / 1000)
  }
  const failed = ({ alias }: ModelCall, error: unknown, start: number): void => {
    const provider = providers.get(alias) ?? 'none'
    const outcome = error instanceof ModelError ? error.code : 'internal'
    metrics.modelCallEnded({ provider, outcome }, (performance.now() - start) / 1000)
  }
  return {
    ...models,
    async *stream(call) {
      const start = performance.now()
      try {
        for await (const event of models.stream(call)) {
          if (event.type === 'done') answered(event)
          yield event
        }
      } catch (error) {
        failed(call, error, start)
        throw error
      }
    },
    async generate(call) {
      const start = performance.now()
      try {
        const result = await models.generate(call)
        answered(result)
        return result
      } catch (error) {
        failed(call, error, start)
        throw error
      }
    },
  }
}
