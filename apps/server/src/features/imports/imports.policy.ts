import {
  IMPORT_UNDO_HOURS,
  isSameName,
  nameKey,
  PROMPT_SETTINGS,
  type PromptSettings,
} from '@catenary/contracts'
import type { FolderSkill } from '@catenary/domain/folder'
import type { ForeignPrompt } from '@catenary/domain/imports'

export interface Candidate {
  id: number
  title: string
  contentHash: string
  settings: PromptSettings | null
  category: string
  tags: { name: string }[]
  isActive: boolean
  skill?: FolderSkill | undefined
  version: number
  updatedAt: Date
  aliases: string[]
}

export interface Incoming {
  key: string
  file: number
  prompt: ForeignPrompt
  settings: PromptSettings
  contentHash: string
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
  bySlug: ReadonlyMap<string, Candidate>
  byHash: ReadonlyMap<string, Candidate>
}

export function matchAll(
  incoming: readonly Incoming[],
  { byTitle, byAlias, bySlug, byHash }: Present,
): Match[] {
  const seen = new Set<string>()
  return incoming.map((each) => {
    const { prompt, hash } = each
    if (isOfFolder(prompt)) return matchOwn(each, bySlug.get(prompt.slug ?? ''))
    const before = byHash.get(hash)
    if (before !== undefined || seen.has(hash)) return { incoming: each, state: 'same', existing: before }
    seen.add(hash)
    const named = (byTitle.get(nameKey(prompt.title)) ?? []).filter((one) => mayBe(prompt, one))
    const called = prompt.alias ?? ''
    const existing =
      byAlias.get(called) ??
      bySlug.get(called) ??
      named.find((candidate) => isSame(each, candidate)) ??
      named.at(-1)
    if (existing === undefined) return { incoming: each, state: 'new', existing }
    return { incoming: each, state: isSame(each, existing) ? 'same' : 'conflict', existing }
  })
}

const OF_OPENAI = /^pmpt_/
const MARK_MAX = 50

/** Whether a prompt of that title may be it: where names have folders, one of another folder is not. */
function mayBe({ alias }: ForeignPrompt, { aliases, tags }: Candidate): boolean {
  if (alias === undefined || OF_OPENAI.test(alias) || aliases.includes(alias)) return true
  if (aliases.some((each) => !OF_OPENAI.test(each))) return false
  const folder = alias.slice(0, Math.max(0, alias.lastIndexOf('/')))
  const tag = folder.trim().replace(/\s+/g, ' ').slice(0, MARK_MAX).trim()
  return tag === '' || tags.some(({ name }) => isSameName(name, tag))
}

const NAME_MAX = 200

export function canBeAlias(name: string): boolean {
  return (
    name.length <= NAME_MAX && /[^\s\p{C}\p{Z}]/u.test(name) && !/\p{Cc}|^\d+$|^(claude-)?chain-/u.test(name)
  )
}

export const isOfFolder = (prompt: ForeignPrompt): boolean => prompt.isOfFolder === true

/** A record in a folder may have changed since an earlier import: its slug says what it is. */
function matchOwn(incoming: Incoming, existing: Candidate | undefined): Match {
  if (existing === undefined) return { incoming, state: 'new', existing }
  return { incoming, state: isWhollySame(incoming, existing) ? 'same' : 'conflict', existing }
}

function isWhollySame(incoming: Incoming, existing: Candidate): boolean {
  const { title, tags, category, isActive, skill } = incoming.prompt
  return (
    isSameSkill(skill ?? null, existing.skill ?? null) &&
    title === existing.title &&
    isSameText(incoming, existing, PROMPT_SETTINGS) &&
    isActive === existing.isActive &&
    category !== undefined &&
    isSameName(category, existing.category) &&
    namesOf(tags) === namesOf(existing.tags.map(({ name }) => name))
  )
}

/** Parts have one order. */
function isSameSkill(there: FolderSkill | null, here: FolderSkill | null): boolean {
  if (there === null || here === null) return there === here
  const textOf = ({ description, parts }: FolderSkill) =>
    JSON.stringify([description, parts.map(({ path, prompt, variable }) => [path, prompt, variable])])
  return textOf(there) === textOf(here)
}

const namesOf = (names: readonly string[]): string => JSON.stringify(names.map(nameKey).sort())

/** The settings that a file knows of. */
export const IMPORTED_SETTINGS: readonly (keyof PromptSettings)[] = [
  'effort',
  'temperature',
  'maxTokens',
  'stop',
  'output',
  'systemPrompt',
  'messages',
]

function isSame(incoming: Incoming, existing: Candidate): boolean {
  const hasModel = incoming.settings.model !== undefined
  return isSameText(incoming, existing, hasModel ? [...IMPORTED_SETTINGS, 'model'] : IMPORTED_SETTINGS)
}

export function isSameText(
  { contentHash, settings }: Incoming,
  existing: Candidate,
  names: readonly (keyof PromptSettings)[],
): boolean {
  const here = existing.settings ?? {}
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
