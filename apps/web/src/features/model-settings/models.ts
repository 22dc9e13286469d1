import { DEFAULT_MODEL, MODEL_ALIASES, MODELS, type ModelStatus } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { useInstance } from '../../lib/instance.ts'
import { useSession } from '../../lib/session/session.tsx'
import { accountQuery } from '../accounts/own-account.queries.ts'

export type KnownModel = Pick<ModelStatus, 'alias' | 'label' | 'configured' | 'keyVariable'> &
  Partial<Pick<ModelStatus, 'modelId' | 'capabilities'>>

/** Until the installation is known. */
const USUAL: readonly KnownModel[] = MODEL_ALIASES.filter((alias) => MODELS[alias].needs === 'apiKey').map(
  (alias) => ({ alias, label: MODELS[alias].label, configured: true, keyVariable: '' }),
)

export function useModels(): readonly KnownModel[] {
  return useInstance()?.models ?? USUAL
}

/** What everyone begins with who chose nothing else: the default, or the first that is set up. */
export function usualOf<Model extends Pick<KnownModel, 'alias' | 'configured'>>(
  models: readonly Model[],
): Model | undefined {
  const configured = models.filter((model) => model.configured)
  return configured.find(({ alias }) => alias === DEFAULT_MODEL) ?? configured[0]
}

/** The model that this person begins with where none is set; null: the usual one, also while theirs can't be used. */
export function useDefaultModel(): string | null {
  const { user } = useSession()
  const models = useModels()
  const { data } = useQuery({ ...accountQuery, enabled: user !== null })
  return models.find(({ alias, configured }) => configured && alias === data?.defaultModel)?.alias ?? null
}

/** What a model is called, also one of an earlier run that can't be chosen any more. */
export function useModelLabel(): (alias: string) => string {
  const models = useModels()
  const labels: Readonly<Record<string, { label: string }>> = MODELS
  return (alias) => models.find((model) => model.alias === alias)?.label ?? labels[alias]?.label ?? alias
}

/** The models to choose from, and the chosen one though it went away or is not for this person: it stays until another is chosen. */
export function useModelChoices(chosen: string | null): { value: string; label: string }[] {
  const models = useModels()
  const labelOf = useModelLabel()
  const choices = models.map(({ alias, label }) => ({ value: alias as string, label }))
  if (chosen === null || models.some(({ alias }) => alias === chosen)) return choices
  return [...choices, { value: chosen, label: `${labelOf(chosen)} (not available)` }]
}
