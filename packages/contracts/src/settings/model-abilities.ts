import type { Capabilities } from '../installation/models.ts'
import type { AskedSettings } from './step-settings.ts'

export interface AbleModel {
  label: string
  modelId: string
  /** Absent: not known, so that anything may be asked of it. */
  capabilities?: Capabilities | undefined
}

/**
 * Families that think before each answer, as their vendors say: Anthropic’s Fable and Mythos, OpenAI’s before GPT-5.1,
 * Google’s Pro and all from Gemini 3 on.
 */
const ALWAYS_THINKS =
  /claude-(fable|mythos)|^(o\d+|gpt-5)(-(?!chat)|$)|^gpt-5[.\d]*-pro|^gemini-(2\.5-pro|[3-9]|\d\d)/

/** By setting, a sentence that names the model and says what helps. */
export function lacksOf(
  { label, modelId, capabilities }: AbleModel,
  {
    effort,
    temperature,
    stop,
  }: Pick<AskedSettings, 'effort' | 'temperature'> & {
    stop?: readonly string[] | undefined
  },
): Partial<Record<'effort' | 'temperature' | 'stop', string>> {
  if (capabilities === undefined) return {}
  const lacks: ReturnType<typeof lacksOf> = {}
  if (effort !== undefined && !capabilities.effort)
    lacks.effort = `${label} doesn’t support an effort setting. Remove it, or choose another model.`
  else if (effort === 'none' && ALWAYS_THINKS.test(modelId))
    lacks.effort = `${label} always thinks before it answers. Choose another effort, or another model.`
  if (temperature !== undefined && !capabilities.temperature)
    lacks.temperature = `${label} doesn’t support a temperature. Remove it, or choose another model.`
  if (stop !== undefined && stop.length > 0 && !capabilities.stop)
    lacks.stop = `${label} doesn’t support stop texts. Remove them, or choose another model.`
  return lacks
}
