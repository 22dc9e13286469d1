import { ModelError } from '../models/model-error.ts'
import type { LimitWait, ModelCall, ModelResult } from '../models/model-types.ts'
import type { Models } from '../models/models.ts'
import type { Metrics } from './metrics.ts'

export function measureModels(models: Models, metrics: Metrics): Models {
  const providerOf = ({ alias }: ModelCall): string =>
    models.describe().find((model) => model.alias === alias)?.provider ?? 'none'
  const answered = ({ provider, durationMs, firstTokenMs }: ModelResult): void => {
    metrics.modelCallEnded({ provider, outcome: 'completed' }, durationMs / 1000)
    metrics.modelBeganToAnswer({ provider }, firstTokenMs / 1000)
  }
  const failed = (call: ModelCall, error: unknown, start: number): void => {
    const outcome = error instanceof ModelError ? error.code : 'internal'
    metrics.modelCallEnded({ provider: providerOf(call), outcome }, (performance.now() - start) / 1000)
  }
  const measured = (call: ModelCall): ModelCall => {
    let start: number | undefined
    const onWait = (wait: LimitWait | undefined) => {
      start ??= performance.now()
      if (wait === undefined) {
        metrics.modelWaited({ provider: providerOf(call) }, (performance.now() - start) / 1000)
        start = undefined
      }
      call.onWait?.(wait)
    }
    return { ...call, onWait }
  }
  return {
    ...models,
    async *stream(call) {
      const start = performance.now()
      try {
        for await (const event of models.stream(measured(call))) {
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
        const result = await models.generate(measured(call))
        answered(result)
        return result
      } catch (error) {
        failed(call, error, start)
        throw error
      }
    },
  }
}
