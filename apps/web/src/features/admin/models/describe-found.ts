import {
  type KnownModel,
  type ManagedModel,
  MODEL_ALIAS_MAX,
  MODEL_LABEL_MAX,
  type ModelProvider,
  type ProviderKind,
  type ProviderModels,
} from '@catenary/contracts'

export type Found = Pick<ProviderModels, 'models' | 'known'>

export interface FoundModel {
  modelId: string
  /** One that is free, or the one under which it was added. */
  alias: string
  label: string
  known: KnownModel | undefined
  isAdded: boolean
  isSuggested: boolean
}

interface FoundAt {
  found: Found
  provider: Pick<ModelProvider, 'id' | 'kind'>
  /** Of every provider. */
  all: readonly ManagedModel[]
}

/** A server that has no more of them was set up for these. */
const FEW = 5

/** Vendors name their models by family and version, and list what they had before as well. */
const NAMES: Record<Exclude<ProviderKind, 'compatible'>, RegExp> = {
  anthropic: /^claude-(?<family>[a-z]+)-(?<version>\d+(?:-\d{1,2})?)(?:-\d{8})?$/,
  openai: /^gpt-(?<version>\d+(?:\.\d+)?)(?:-(?<family>[a-z]+))?$/,
  gemini: /^gemini-(?<version>\d+(?:\.\d+)?)-(?<family>[a-z]+(?:-lite)?)$/,
}

/** What answers no prompt with text, or is for one purpose alone. */
const SPECIAL =
  /embed|rerank|whisper|tts|audio|realtime|transcri|speech|live|image|veo|dall-e|sora|moderation|guard|aqa|codex|search|computer/

const DATE = /-\d{8}$|-\d{4}-\d\d-\d\d$/

/** What a provider lists: first what is suggested, last what is special. */
export function describeFound({ found, provider, all }: FoundAt): FoundModel[] {
  const { kind } = provider
  const own = all.filter(({ providerId }) => providerId === provider.id)
  const added = new Map(own.map((model) => [model.modelId, model]))
  const known = new Map(found.known.map((model) => [model.modelId, model]))
  const words = suggestedOf(kind, found.models)
  const rankOf = (modelId: string) => {
    if (words.has(modelId)) return 0
    if (added.has(modelId)) return 1
    if (SPECIAL.test(modelId)) return 4
    return known.has(modelId) ? 2 : 3
  }
  const taken = new Set(all.map(({ alias }) => alias))
  return found.models
    .toSorted((a, b) => rankOf(a) - rankOf(b))
    .map((modelId) => ({
      modelId,
      alias: added.get(modelId)?.alias ?? freeAlias({ modelId, word: words.get(modelId), taken }),
      label: added.get(modelId)?.label ?? labelOf(kind, modelId),
      known: known.get(modelId),
      isAdded: added.has(modelId),
      isSuggested: words.has(modelId) && !added.has(modelId),
    }))
}

/** The models to begin with, each with the word that tells it from the others: the newest of each family, or all of a few. */
function suggestedOf(kind: ProviderKind, modelIds: readonly string[]): Map<string, string | undefined> {
  const usable = modelIds.filter((modelId) => !SPECIAL.test(modelId))
  if (kind === 'compatible') {
    return new Map(usable.length > FEW ? [] : usable.map((modelId) => [modelId, undefined]))
  }
  const newest = new Map<string, { modelId: string; major: number; minor: number }>()
  for (const modelId of usable) {
    const { version, family = '' } = NAMES[kind].exec(modelId)?.groups ?? {}
    if (version === undefined) continue
    const [major = 0, minor = 0] = version.split(/[.-]/).map(Number)
    const best = newest.get(family)
    if (!best || major > best.major || (major === best.major && minor > best.minor)) {
      newest.set(family, { modelId, major, minor })
    }
  }
  const latest = Math.max(...[...newest.values()].map(({ major }) => major))
  return new Map(
    [...newest]
      .filter(([, { major }]) => major === latest)
      .map(([family, { modelId }]) => [modelId, family || undefined]),
  )
}

/** A family’s word alone stays right when a newer model takes the alias over. */
function freeAlias({
  modelId,
  word,
  taken,
}: {
  modelId: string
  word: string | undefined
  taken: Set<string>
}): string {
  const name = modelId.slice(modelId.lastIndexOf('/') + 1).toLowerCase()
  const plain = name.replace(/^claude-/, '').replace(/[^a-z0-9.-]+/g, '-')
  const whole = (/^[a-z]/.test(plain) ? plain : `m-${plain}`).slice(0, MODEL_ALIAS_MAX)
  const wanted = word === undefined || taken.has(word) ? whole : word
  let alias = wanted
  for (let count = 2; taken.has(alias); count += 1) {
    alias = `${wanted.slice(0, MODEL_ALIAS_MAX - `-${count}`.length)}-${count}`
  }
  taken.add(alias)
  return alias
}

/** `claude-opus-5-5` is Claude Opus 5.5, `gpt-6.1-sol` is GPT-6.1 Sol. What is not a vendor’s own keeps its name. */
function labelOf(kind: ProviderKind, modelId: string): string {
  const name = modelId.slice(modelId.lastIndexOf('/') + 1)
  if (kind === 'compatible' || name.includes(':')) return name.slice(0, MODEL_LABEL_MAX)
  const words = name
    .replace(DATE, '')
    .replace(/-(\d+)-(\d{1,2})(?=-|$)/, '-$1.$2')
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  return words.join(' ').replace(/^Gpt /, 'GPT-').slice(0, MODEL_LABEL_MAX)
}
