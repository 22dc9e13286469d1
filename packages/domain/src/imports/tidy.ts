import { isVisible } from '@catenary/contracts'
import { ImportError, isFields } from '../promptfoo/draft.ts'
import {
  CATEGORY_MAX,
  CONTENT_MAX,
  DEPTH_MAX,
  NODES_MAX,
  NOTE_MAX,
  SYSTEM_PROMPT_MAX,
  TAG_MAX,
  TAGS_MAX,
  TURNS_LENGTH_MAX,
  TURNS_MAX,
} from './bounds.ts'
import { type ForeignPrompt, NO_TEXT, type Report, toTitle, within } from './draft.ts'

/** What no database keeps in a text: the character 0, and halves of characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is the character.
const UNSTORABLE = /\u0000/g

export function createCleaner() {
  let replaced = 0
  const clean = (text: string): string => {
    const isWhole = text.isWellFormed()
    if (isWhole && !text.includes('\0')) return text
    replaced += 1
    return text.toWellFormed().replace(UNSTORABLE, '\ufffd')
  }
  return { clean, replaced: () => replaced }
}

export function tidy(root: unknown, clean: (text: string) => string): unknown {
  let nodes = 0
  const walk = (value: unknown, depth: number): unknown => {
    nodes += 1
    if (nodes > NODES_MAX) throw new ImportError(`It has more than ${NODES_MAX.toLocaleString('en')} values`)
    if (depth > DEPTH_MAX) throw new ImportError(`It is nested more than ${DEPTH_MAX} levels deep`)
    if (typeof value === 'string') return clean(value)
    if (Array.isArray(value)) return value.map((each) => walk(each, depth + 1))
    if (typeof value === 'number' && !Number.isFinite(value)) return null
    if (!isFields(value)) return value instanceof Date ? value.toISOString() : toJson(value)
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => {
        if (key === '__proto__') throw new ImportError('The key __proto__ is not allowed')
        return [clean(key), walk(each, depth + 1)]
      }),
    )
  }
  return walk(root, 0)
}

function toJson(value: unknown): unknown {
  return value === null || typeof value === 'boolean' || typeof value === 'number' ? value : String(value)
}

export function toLimits(prompt: ForeignPrompt, report: Report): ForeignPrompt | undefined {
  const { at, settings } = prompt
  const refuse = (what: string, most: number): undefined => {
    report.lose(
      at,
      `${what} has more than ${most.toLocaleString('en')} characters: the prompt is not imported`,
    )
    return undefined
  }
  if (!isVisible(prompt.content)) {
    report.lose(at, NO_TEXT, prompt.content)
    return undefined
  }
  if (prompt.content.length > CONTENT_MAX) return refuse('Its text', CONTENT_MAX)
  if ((settings.systemPrompt?.length ?? 0) > SYSTEM_PROMPT_MAX)
    return refuse('Its system prompt', SYSTEM_PROMPT_MAX)
  const all = settings.messages ?? []
  const messages = all.slice(-TURNS_MAX)
  if (messages.length < all.length) {
    report.lose(
      at,
      `Of ${all.length} messages before the last, the newest ${TURNS_MAX} are imported`,
      all.slice(0, -TURNS_MAX),
    )
  }
  if (messages.reduce((sum, { content }) => sum + content.length, 0) > TURNS_LENGTH_MAX) {
    return refuse('What comes before its last message', TURNS_LENGTH_MAX)
  }
  const named = toTitle(prompt.title)
  const title = isVisible(named) ? named : 'Untitled'
  reportCut(prompt.title, title, 'title', { at, report })
  const isNamed = prompt.category !== undefined && isVisible(prompt.category)
  const category = isNamed ? prompt.category?.slice(0, CATEGORY_MAX).toWellFormed() : undefined
  if (prompt.category !== undefined) reportCut(prompt.category, category ?? '', 'category', { at, report })
  const note = plain(prompt.note).slice(0, NOTE_MAX).toWellFormed()
  reportCut(prompt.note, note, 'note', { at, report })
  return {
    ...prompt,
    title,
    settings: messages.length === 0 ? settings : { ...settings, messages },
    tags: tagsWithin(prompt.tags, { at, report }),
    ...(category !== undefined && { category }),
    note,
  }
}

const plain = (text: string): string => text.replace(/\s+/g, ' ').trim()

function reportCut(
  whole: string,
  shown: string,
  what: string,
  { at, report }: { at: string; report: Report },
) {
  if (plain(whole) !== shown && shown !== 'Untitled')
    report.lose(within(at, what), `The ${what} is cut off after ${shown.length} characters`, whole, shown)
}

function tagsWithin(tags: readonly string[], { at, report }: { at: string; report: Report }): string[] {
  const names = new Map<string, string>()
  for (const tag of tags) {
    const name = toTitle(tag).slice(0, TAG_MAX).trim().toWellFormed()
    reportCut(tag, name, 'tag', { at, report })
    const before = names.get(name.toLowerCase())
    if (before !== undefined && before !== name)
      report.lose(within(at, 'tags'), `The tags ${before} and ${name} are the same tag here`, tag)
    if (isVisible(name) && before === undefined) names.set(name.toLowerCase(), name)
  }
  const all = [...names.values()]
  if (all.length > TAGS_MAX)
    report.lose(at, `${TAGS_MAX} of ${all.length} tags are imported`, all.slice(TAGS_MAX))
  return all.slice(0, TAGS_MAX)
}
