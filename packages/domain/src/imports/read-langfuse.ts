import { type Fields, isFields } from '../promptfoo/draft.ts'
import {
  type ForeignPrompt,
  isEmpty,
  listOf,
  NO_TEXT,
  namedOf,
  pickText,
  type Report,
  textOf,
  textsOf,
  toTitle,
  within,
} from './draft.ts'
import { type Entry, entriesOf } from './entries.ts'
import { convertReferences } from './references.ts'
import { readSettings, reportOthers, SETTING_NAMES, setAside } from './settings.ts'
import { createNames, textsIn } from './texts/names.ts'
import { SYNTAXES } from './texts/syntaxes.ts'
import { clipPiece } from './texts/text-edits.ts'
import { type Conversation, toConversation } from './turns.ts'

/*
 * Langfuse's data model of prompts: name, type `text` or `chat`, prompt, config, version, labels, tags; the same from
 * `GET /api/public/v2/prompts/{name}`. A chat may hold `{type: 'placeholder', name}`. The list of the API, with
 * `versions` and `lastUpdatedAt`, has no texts.
 */
const READ = 'name type prompt config version labels tags updatedAt commitMessage'.split(' ')
const ASIDE =
  'id projectId createdBy createdAt isActive resolutionGraph lastUpdatedAt versions lastConfig'.split(' ')
const COMPOSED = /@@@langfusePrompt:[^@\n]{1,300}@@@/g

interface Prompt {
  at: string
  fields: Fields
}

export function findLangfuse(root: unknown): { entries: Entry[]; beside: Fields } | undefined {
  const wrapper = isFields(root) ? ['data', 'prompts'].find((name) => Array.isArray(root[name])) : undefined
  const entries =
    isFields(root) && wrapper !== undefined
      ? entriesOf(root[wrapper], wrapper)
      : Array.isArray(root)
        ? entriesOf(root)
        : [{ at: '', value: root }]
  const { [wrapper ?? '']: _, ...beside } = isFields(root) && wrapper !== undefined ? root : {}
  return entries.some(({ value }) => isLangfuse(value)) ? { entries, beside } : undefined
}

function isLangfuse(fields: unknown): boolean {
  if (!isFields(fields) || typeof fields.name !== 'string') return false
  const hasText = fields.type === 'text' || fields.type === 'chat' || Array.isArray(fields.labels)
  return hasText && (Object.hasOwn(fields, 'prompt') || Array.isArray(fields.versions))
}

/** Of several versions of one name the labelled newest comes: `production`, else the last. */
export function readLangfuse(
  { entries, beside }: { entries: readonly Entry[]; beside: Fields },
  report: Report,
): ForeignPrompt[] {
  setAside(beside, Object.keys(beside), 'Langfuse', report)
  const prompts = entries.flatMap(({ at, value }): Prompt[] => {
    if (isFields(value)) return [{ at, fields: value }]
    report.lose(at, 'It is not a prompt', value)
    return []
  })
  const chosen = new Map<string, Prompt>()
  for (const entry of prompts) {
    const name = String(entry.fields.name)
    const held = chosen.get(name)
    if (held === undefined || rankOf(entry) > rankOf(held)) chosen.set(name, entry)
  }
  return prompts.flatMap((entry) => {
    const { at, fields } = entry
    const name = String(fields.name)
    if (chosen.get(name) === entry) return readEntry(entry, report)
    report.lose(
      at,
      `Version ${String(fields.version ?? '')} of ${toTitle(name).slice(0, 60)} is not imported: another one is released or newer`,
      fields,
    )
    return []
  })
}

function rankOf({ fields }: Prompt): number {
  const isReleased = listOf(fields.labels).includes('production')
  const version = Number(fields.version)
  return (isReleased ? 1e9 : 0) + (Number.isFinite(version) ? Math.min(version, 1e9 - 1) : 0)
}

function readEntry({ at, fields }: Prompt, report: Report): ForeignPrompt[] {
  const name = textOf(fields.name)
  const config = isFields(fields.config) ? fields.config : {}
  const conversation = conversationOf(fields.prompt, within(at, 'prompt'), report)
  if (conversation === undefined || name === undefined) {
    const reason =
      conversation === undefined && Array.isArray(fields.versions)
        ? 'Langfuse’s list has no texts. Save each prompt by its name'
        : NO_TEXT
    report.lose(at, reason, fields)
    return []
  }
  const { content, systemPrompt, messages } = conversation
  const settings = readSettings(config, { at: within(at, 'config'), report })
  reportOthers(config, { at: within(at, 'config'), report, known: SETTING_NAMES })
  if (isFields(config.text))
    reportOthers(config.text, { at: within(at, 'config.text'), report, known: ['format'] })
  reportOthers(fields, { at, report, known: [...READ, ...ASIDE] })
  setAside(fields, ASIDE, 'Langfuse', report)
  if (!isEmpty(fields.config) && !isFields(fields.config)) {
    report.lose(within(at, 'config'), 'It is kept as a note', fields.config)
  }
  const labels = textsOf(fields.labels).filter((label) => label !== 'latest')
  if (labels.length > 0)
    report.lose(within(at, 'labels'), `Labels are not set by an import: ${namedOf(labels)}`, labels)
  if (!isEmpty(fields.labels) && textsOf(fields.labels).length < [fields.labels].flat().length)
    report.lose(within(at, 'labels'), 'Some are not label names', fields.labels)
  if (!isEmpty(fields.tags) && textsOf(fields.tags).length < [fields.tags].flat().length)
    report.lose(within(at, 'tags'), 'Some are not tag names', fields.tags)
  const note = pickText(fields, ['commitMessage'], { at, report })
  const version = typeof fields.version === 'number' ? String(fields.version) : '?'
  if (version === '?' && !isEmpty(fields.version))
    report.lose(within(at, 'version'), 'It is not a number, so it is kept as a note', fields.version)
  // By its whole name a client asks for it, and its folder tells it from another of that title.
  const [, folder, title = name] = /^(.+)\/([^/]+)$/.exec(name) ?? []
  return [
    {
      at,
      title,
      content,
      settings: {
        ...settings,
        ...(systemPrompt && { systemPrompt }),
        ...(messages.length > 0 && { messages }),
      },
      tags: [...textsOf(fields.tags), ...(folder === undefined ? [] : [folder])],
      alias: name,
      ...(typeof fields.updatedAt === 'string' && { savedAt: fields.updatedAt }),
      note: `From Langfuse, version ${version}${note === undefined ? '' : `: ${note}`}`,
    },
  ]
}

function conversationOf(prompt: unknown, at: string, report: Report): Conversation | undefined {
  const reading = { at, report, names: createNames(textsIn(prompt)), syntax: SYNTAXES.langfuse }
  for (const text of textsIn(prompt)) {
    for (const [tag] of text.matchAll(COMPOSED))
      report.lose(at, `${clipPiece(tag)} is another prompt in Langfuse: it stays as text`, tag)
  }
  if (Array.isArray(prompt)) return toConversation(prompt, reading)
  if (textOf(prompt) === undefined || typeof prompt !== 'string') return undefined
  return { systemPrompt: undefined, messages: [], content: convertReferences(prompt, reading) }
}
