import type { ImportFormat, PromptSettings } from '@catenary/contracts'
import type { FolderChain, FolderSkill, FolderSuite } from '../folder/folder-records.ts'
import type { Fields } from '../promptfoo/draft.ts'
import type { SuiteDraft } from '../promptfoo/index.ts'

/** What is not imported, or is imported differently; `kept` is the original, `now` what a text becomes here. */
export interface LossDraft {
  at: string
  reason: string
  kept?: unknown
  now?: string
}

export interface ForeignPrompt {
  at: string
  title: string
  content: string
  settings: PromptSettings
  tags: string[]
  category?: string
  /** By which code calls it: `pmpt_…` of OpenAI, the whole name of Langfuse. */
  alias?: string
  note: string
  savedAt?: string
  suite?: SuiteDraft
  isActive?: boolean
  /** What makes it a skill; null: a folder of Catenary says that it is none. */
  skill?: FolderSkill | null
  /** Of a folder of Catenary, which says all of a prompt; its name for addresses and programs. */
  isOfFolder?: true
  slug?: string
}

export interface ReadFile {
  format: ImportFormat | null
  prompts: ForeignPrompt[]
  records: (FolderChain | FolderSuite)[]
  losses: LossDraft[]
  problem: string | null
}

export interface SourceFile {
  name: string
  text: string
}

export interface Report {
  lose: (at: string, reason: string, kept?: unknown, now?: string) => void
  setAside: (owner: string, names: readonly string[]) => void
  losses: LossDraft[]
  end: () => LossDraft[]
}

export function createReport(): Report {
  const losses: LossDraft[] = []
  const aside = new Map<string, Set<string>>()
  return {
    losses,
    lose: (at, reason, kept, now) =>
      losses.push({ at, reason, ...(kept !== undefined && { kept }), ...(now !== undefined && { now }) }),
    setAside(owner, names) {
      aside.set(owner, new Set([...(aside.get(owner) ?? []), ...names]))
    },
    end() {
      const lines = [...aside].flatMap(([owner, names]) =>
        names.size === 0
          ? []
          : { at: '', reason: `${owner}’s internal fields are not imported: ${namedOf([...names])}` },
      )
      return [...losses, ...lines]
    },
  }
}

const NAMES_SHOWN_MAX = 40

export function namedOf(names: readonly string[]): string {
  const shown = names.slice(0, NAMES_SHOWN_MAX).map(clipName).join(', ')
  const more = names.length - NAMES_SHOWN_MAX
  return more > 0 ? `${shown} and ${more.toLocaleString('en')} more` : shown
}

/** A place within a place: `[2]` and `tools` are `[2].tools`. */
export function within(at: string, name: string): string {
  const shown = clipName(name)
  return at === '' || shown.startsWith('[') ? `${at}${shown}` : `${at}.${shown}`
}

const NAME_SHOWN_MAX = 80

/** Names of fields may be as long as files. */
export function clipName(name: string): string {
  return name.length > NAME_SHOWN_MAX ? `${name.slice(0, NAME_SHOWN_MAX).toWellFormed()}…` : name
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true
  if (Array.isArray(value)) return value.length === 0
  return typeof value === 'object' && Object.keys(value).length === 0
}

export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

export function textsOf(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).flatMap((each) => textOf(each)?.trim() ?? [])
}

const TITLE_MAX = 200

export const NO_TEXT = 'It has no prompt text'

export function toTitle(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ')
  return line.slice(0, TITLE_MAX).toWellFormed()
}

export function titleFromText(text: string): string {
  const line = text.split('\n').find((each) => /[\p{L}\p{N}]/u.test(each)) ?? 'Untitled'
  const plain = toTitle(line.replace(/^[#>*\s-]+/, ''))
  return plain.length > 80 ? `${plain.slice(0, 79).trimEnd().toWellFormed()}…` : plain
}

export function baseName(name: string): string {
  const file = name.split(/[/\\]/).at(-1) ?? name
  return file.replace(/(\.prompt|\.instructions)?\.[A-Za-z0-9]+$/, '') || file
}

/** The first of a few names that has a value; others with another value get a line in the report. */
export function pick(
  fields: Fields,
  names: readonly string[],
  { at, report }: { at: string; report: Report },
): { name: string; value: unknown } | undefined {
  const [name, ...others] = names.filter((each) => Object.hasOwn(fields, each) && !isEmpty(fields[each]))
  if (name === undefined) return undefined
  const value = fields[name]
  for (const other of others) {
    if (JSON.stringify(fields[other]) === JSON.stringify(value)) continue
    report.lose(within(at, other), `${name} is used here; ${other} is kept as a note`, fields[other])
  }
  return { name, value }
}

/** The first of a few names that has a text; the others, and what is no text, get a line in the report. */
export function pickText(
  fields: Fields,
  names: readonly string[],
  { at, report }: { at: string; report: Report },
): string | undefined {
  const isText = (name: string) => Object.hasOwn(fields, name) && textOf(fields[name]) !== undefined
  for (const name of names) {
    if (isText(name) || !Object.hasOwn(fields, name) || isEmpty(fields[name])) continue
    report.lose(within(at, name), 'It is not text, so it is kept as a note', fields[name])
  }
  return textOf(pick(fields, names.filter(isText), { at, report })?.value)
}

/** Trimmed of empty lines before it and of spaces after it: its first line keeps where it begins. */
export function trimLines(text: string): string {
  return text.replace(/^(?:[^\S\n]*\n)+/, '').trimEnd()
}
