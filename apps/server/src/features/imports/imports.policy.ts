import { IMPORT_UNDO_HOURS, type PromptSettings } from '@catenary/contracts'
import type { ForeignPrompt } from '@catenary/domain/imports'

/** A prompt of the importer that something in the files may be. */
export interface Candidate {
  id: number
  title: string
  contentHash: string
  settings: PromptSettings | null
  version: number
  updatedAt: Date
}

/** A prompt of the files, with the model's alias here. */
export interface Incoming {
  key: string
  file: number
  prompt: ForeignPrompt
  settings: PromptSettings
  contentHash: string
  /** Of all of it, as the file has it. */
  hash: string
}

export interface Match {
  incoming: Incoming
  state: 'new' | 'same' | 'conflict'
  existing: Candidate | undefined
}

interface Present {
  /** Several prompts may have one title. */
  byTitle: ReadonlyMap<string, readonly Candidate[]>
  byAlias: ReadonlyMap<string, Candidate>
  /** What was imported before, by the hash of what the file had. */
  byHash: ReadonlyMap<string, Candidate>
}

export const titleKey = (title: string): string => title.toLowerCase()

/** What each is to what the importer has. */
export function matchAll(incoming: readonly Incoming[], { byTitle, byAlias, byHash }: Present): Match[] {
  const seen = new Set<string>()
  return incoming.map((each) => {
    const { prompt, hash } = each
    const before = byHash.get(hash)
    if (before !== undefined || seen.has(hash)) return { incoming: each, state: 'same', existing: before }
    seen.add(hash)
    const named = byTitle.get(titleKey(prompt.title)) ?? []
    const existing =
      byAlias.get(prompt.alias ?? '') ?? named.find((candidate) => isSame(each, candidate)) ?? named.at(-1)
    if (existing === undefined) return { incoming: each, state: 'new', existing }
    return { incoming: each, state: isSame(each, existing) ? 'same' : 'conflict', existing }
  })
}

/** What a file says of a prompt's settings: of the others it knows nothing. */
export const IMPORTED_SETTINGS: readonly (keyof PromptSettings)[] = [
  'effort',
  'temperature',
  'maxTokens',
  'stop',
  'output',
  'systemPrompt',
  'messages',
]

function isSame({ contentHash, settings }: Incoming, existing: Candidate): boolean {
  const here = existing.settings ?? {}
  const names = settings.model === undefined ? IMPORTED_SETTINGS : [...IMPORTED_SETTINGS, 'model' as const]
  return (
    contentHash === existing.contentHash &&
    names.every((name) => JSON.stringify(settings[name]) === JSON.stringify(here[name]))
  )
}

const HOUR_MS = 3_600_000

export function canUndo(
  { createdAt, undoneAt }: { createdAt: Date; undoneAt: Date | null },
  now: Date,
): boolean {
  return undoneAt === null && now.getTime() - createdAt.getTime() < IMPORT_UNDO_HOURS * HOUR_MS
}
