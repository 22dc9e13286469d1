import { DEFAULT_MODEL, MODEL_ALIASES, type ModelAlias } from '@catenary/contracts'
import { useInstance } from '../../lib/instance.ts'

/** The setting that brings each model's key. */
export const KEY_SETTINGS: Record<ModelAlias, string> = {
  claude: 'ANTHROPIC_API_KEY',
  openai: 'OPENAI_API_KEY',
  gemini: 'GEMINI_API_KEY',
}

/** Which aliases have no key; none until the installation is known. */
export function useMissingModels(): ReadonlySet<ModelAlias> {
  const models = useInstance()?.models ?? []
  return new Set(models.filter(({ configured }) => !configured).map(({ alias }) => alias))
}

/** The model that an address names; without one the default, or the first that has a key. */
export function modelOf({
  name,
  missing,
}: {
  name: string | null
  missing: ReadonlySet<ModelAlias>
}): ModelAlias {
  const named = MODEL_ALIASES.find((alias) => alias === name)
  if (named) return named
  if (!missing.has(DEFAULT_MODEL)) return DEFAULT_MODEL
  return MODEL_ALIASES.find((alias) => !missing.has(alias)) ?? DEFAULT_MODEL
}
