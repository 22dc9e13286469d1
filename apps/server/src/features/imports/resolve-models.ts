import { lacksOf, type ModelStatus, type PromptSettings } from '@catenary/contracts'
import type { ForeignPrompt, LossDraft } from '@catenary/domain/imports'

const DATE = /-(\d{4}-\d{2}-\d{2}|\d{8})$/

export function findModel(name: string, models: readonly ModelStatus[]): ModelStatus | undefined {
  const wanted = name.toLowerCase()
  return (
    models.find(({ alias, modelId }) => [alias, modelId.toLowerCase()].includes(wanted)) ??
    models.find(({ label }) => label.toLowerCase() === wanted)
  )
}

const isExactly = (name: string, { alias, modelId }: ModelStatus): boolean =>
  [alias, modelId.toLowerCase()].includes(name.toLowerCase())

export function resolveModel(
  { at, settings, isOfFolder }: ForeignPrompt,
  models: readonly ModelStatus[],
): { settings: PromptSettings; losses: LossDraft[] } {
  const losses: LossDraft[] = []
  const { model: name, ...others } = withFallbacks(settings, { at, models, losses })
  if (name === undefined) {
    losses.push(...findUnable(others, { at, models }))
    return { settings: others, losses }
  }
  const where = at === '' ? 'model' : `${at}.model`
  const plain = name.split('/').at(-1) ?? name
  const undated = plain.replace(DATE, '')
  const found = findModel(name, models) ?? findModel(plain, models) ?? findModel(undated, models)
  const shown = name.slice(0, 80)
  if (found === undefined) {
    const reason = `${shown} is not set up here, so the prompt has no model of its own and uses the chosen one`
    losses.push({ at: where, reason, kept: name }, ...findUnable(others, { at, models }))
    return { settings: others, losses }
  }
  if (!isExactly(name, found) && !isExactly(plain, found)) {
    const which = isExactly(undated, found)
      ? 'the same model without a date'
      : `which is ${found.modelId} here`
    losses.push({ at: where, reason: `${shown} becomes ${found.label}, ${which}`, kept: name })
  }
  // A folder of Catenary says what was saved, whatever its model can do.
  if (isOfFolder === true) return { settings: { model: found.alias, ...others }, losses }
  const left: PromptSettings = { ...others }
  for (const [setting, reason] of Object.entries(lacksOf(found, others))) {
    const key = setting as 'effort' | 'temperature' | 'stop'
    losses.push({
      at: at === '' ? key : `${at}.${key}`,
      reason: `${reason.split('. ')[0]}: kept as a note`,
      kept: others[key],
    })
    delete left[key]
  }
  return { settings: { model: found.alias, ...left }, losses }
}

function findUnable(
  settings: PromptSettings,
  { at, models }: { at: string; models: readonly ModelStatus[] },
): LossDraft[] {
  const names = new Map<string, string[]>()
  for (const model of models) {
    for (const setting of Object.keys(lacksOf(model, settings)))
      names.set(setting, [...(names.get(setting) ?? []), model.label])
  }
  return [...names].map(([setting, labels]) => ({
    at: at === '' ? setting : `${at}.${setting}`,
    reason: `The ${setting} is imported, but ${labels.join(', ')} can’t use it. Leave it out when you run one of them`,
    kept: settings[setting as 'effort' | 'temperature' | 'stop'],
  }))
}

function withFallbacks(
  { fallbackModel, moreFallbackModels, ...settings }: PromptSettings,
  { at, models, losses }: { at: string; models: readonly ModelStatus[]; losses: LossDraft[] },
): PromptSettings {
  const known = (name: string | undefined): string[] => {
    if (name === undefined) return []
    const found = findModel(name, models)
    if (found !== undefined) return [found.alias]
    const reason = `${name.slice(0, 80)} is not set up here, so there is no fallback for it`
    losses.push({ at: at === '' ? 'fallbackModel' : `${at}.fallbackModel`, reason, kept: name })
    return []
  }
  const [first, ...more] = [fallbackModel, ...(moreFallbackModels ?? [])].flatMap(known)
  return {
    ...settings,
    ...(first !== undefined && { fallbackModel: first }),
    ...(more.length > 0 && { moreFallbackModels: more }),
  }
}
