import { type Fields, isFields } from '../promptfoo/draft.ts'
import {
  type ForeignPrompt,
  isEmpty,
  listOf,
  type Report,
  textOf,
  textsOf,
  toTitle,
  within,
} from './draft.ts'
import { convertReferences } from './references.ts'
import { readSettings, reportOthers, SETTING_NAMES } from './settings.ts'
import { toConversation } from './turns.ts'

/*
 * Langfuse's data model of prompts: name, type `text` or `chat`, prompt, config, version, labels, tags; the same from
 * `GET /api/public/v2/prompts/{name}`. A chat may hold `{type: 'placeholder', name}`. The list of the API, with
 * `versions` and `lastUpdatedAt`, has no texts.
 */
const KNOWN =
  `id projectId createdBy createdAt updatedAt isActive resolutionGraph commitMessage name type prompt
  config version labels tags lastUpdatedAt versions lastConfig`.split(/\s+/)

interface Entry {
  at: string
  fields: Fields
}

/** The entries of a file; undefined for what is none of Langfuse's. */
export function findLangfuse(root: unknown): Entry[] | undefined {
  const list = Array.isArray(root)
    ? { at: '', values: root as unknown[] }
    : isFields(root) && (Array.isArray(root.data) || Array.isArray(root.prompts))
      ? { at: Array.isArray(root.data) ? 'data' : 'prompts', values: listOf(root.data ?? root.prompts) }
      : { at: undefined, values: [root] }
  const entries = list.values.flatMap((fields, index) =>
    isFields(fields) ? [{ at: list.at === undefined ? '' : `${list.at}[${index}]`, fields }] : [],
  )
  return entries.length > 0 && entries.some(({ fields }) => isLangfuse(fields)) ? entries : undefined
}

function isLangfuse(fields: Fields): boolean {
  if (typeof fields.name !== 'string') return false
  const hasText = fields.type === 'text' || fields.type === 'chat' || Array.isArray(fields.labels)
  return hasText && (Object.hasOwn(fields, 'prompt') || Array.isArray(fields.versions))
}

/** Of several versions of one name the labelled newest comes: `production`, else the last. */
export function readLangfuse(entries: readonly Entry[], report: Report): ForeignPrompt[] {
  const chosen = new Map<string, Entry>()
  for (const entry of entries) {
    const name = String(entry.fields.name)
    const held = chosen.get(name)
    if (held === undefined || rankOf(entry) > rankOf(held)) chosen.set(name, entry)
  }
  return entries.flatMap((entry) => {
    const { at, fields } = entry
    const name = String(fields.name)
    if (chosen.get(name) === entry) return readEntry(entry, report)
    report.lose(
      at,
      `Version ${String(fields.version ?? '')} of ${toTitle(name).slice(0, 60)} stays behind: another one is released or newer`,
      fields,
    )
    return []
  })
}

function rankOf({ fields }: Entry): number {
  const isReleased = listOf(fields.labels).includes('production')
  const version = Number(fields.version)
  return (isReleased ? 1e9 : 0) + (Number.isFinite(version) ? Math.min(version, 1e9 - 1) : 0)
}

function readEntry({ at, fields }: Entry, report: Report): ForeignPrompt[] {
  const name = textOf(fields.name)
  const config = isFields(fields.config) ? fields.config : {}
  const place = within(at, 'prompt')
  const conversation = Array.isArray(fields.prompt)
    ? toConversation(fields.prompt, { at: place, report })
    : typeof fields.prompt === 'string' && fields.prompt.trim() !== ''
      ? {
          systemPrompt: undefined,
          messages: [],
          content: convertReferences(fields.prompt, { at: place, report }),
        }
      : undefined
  if (conversation === undefined || name === undefined) {
    const reason =
      conversation === undefined && Array.isArray(fields.versions)
        ? 'The list of Langfuse has no texts: save each prompt by its name'
        : 'It has no text of a prompt'
    report.lose(at, reason, fields)
    return []
  }
  const { content, systemPrompt, messages } = conversation
  const settings = readSettings(config, { at: within(at, 'config'), report })
  reportOthers(config, { at: within(at, 'config'), report, known: SETTING_NAMES })
  reportOthers(fields, { at, report, known: KNOWN })
  if (!isEmpty(fields.config) && !isFields(fields.config)) {
    report.lose(within(at, 'config'), 'It is kept as a note', fields.config)
  }
  const labels = textsOf(fields.labels).filter((label) => label !== 'latest')
  if (labels.length > 0) {
    report.lose(
      within(at, 'labels'),
      `Labels are not set by an import: ${labels.slice(0, 5).join(', ').slice(0, 120)}`,
      labels,
    )
  }
  const note = textOf(fields.commitMessage)
  const [, folder, title = name] = /^(.+)\/([^/]+)$/.exec(name) ?? []
  return [
    {
      at,
      title: toTitle(title),
      content,
      settings: {
        ...settings,
        ...(systemPrompt && { systemPrompt }),
        ...(messages.length > 0 && { messages }),
      },
      // A folder is a tag here.
      tags: [...textsOf(fields.tags), ...(folder === undefined ? [] : [folder])],
      ...(typeof fields.updatedAt === 'string' && { savedAt: fields.updatedAt }),
      note: `From Langfuse, version ${String(fields.version ?? '?').slice(0, 10)}${note === undefined ? '' : `: ${note}`}`,
    },
  ]
}
