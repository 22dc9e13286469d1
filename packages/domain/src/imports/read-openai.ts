import { type Fields, isFields } from '../promptfoo/draft.ts'
import {
  baseName,
  type ForeignPrompt,
  isEmpty,
  listOf,
  pick,
  type Report,
  textOf,
  titleFromText,
  toTitle,
  within,
} from './draft.ts'
import { convertReferences } from './references.ts'
import { readSettings, reportOthers, SETTING_NAMES } from './settings.ts'
import { toConversation } from './turns.ts'

/*
 * OpenAI documents how a prompt object is called, not how it is saved: `prompt: {id, version, variables}` and, in its
 * page on moving away, `prompt_id`. The API has no list of them, and the dashboard no export (its deprecations of
 * 2026-06-03). What people have is therefore one of these, and all are read:
 * - a reply of the Responses API to a call with `prompt`: its `instructions` are the messages of the prompt, as
 *   openai-dotnet's issue 500 shows one;
 * - the request body that stands in the Playground's code, with `input` or `messages`;
 * - a file of their own with the fields of both: id, name, version, instructions, messages, variables, model …
 */
const ALIAS = /^pmpt_[0-9A-Za-z_-]{1,123}$/
const ALIASES = /pmpt_[0-9A-Za-z_-]{1,123}/g
const WRAPPERS = ['data', 'prompts', 'items', 'results']
const MESSAGES = ['messages', 'input', 'template']
const INSTRUCTIONS = [
  'instructions',
  'developer_message',
  'developer',
  'system_message',
  'system',
  'system_prompt',
]
const NAMES = ['name', 'title', 'display_name']
const SAVED_AT = ['updated_at', 'created_at', 'last_updated_at']

/** Of a reply: about the call, not about the prompt. */
const OF_REPLY =
  `object status output output_text usage error incomplete_details background billing previous_response_id conversation
  completed_at safety_identifier user prompt_cache_key prompt_cache_retention stream`.split(/\s+/)
const OF_PROMPT = 'id prompt_id version versions prompt text variables tags default_version is_default'.split(
  ' ',
)
const KNOWN = [
  ...OF_PROMPT,
  ...OF_REPLY,
  ...MESSAGES,
  ...INSTRUCTIONS,
  ...NAMES,
  ...SAVED_AT,
  ...SETTING_NAMES,
]
/** What a reply says where nothing was asked. */
const USUAL = {
  top_p: 1,
  tool_choice: 'auto',
  parallel_tool_calls: true,
  truncation: 'disabled',
  store: true,
  top_logprobs: 0,
  service_tier: 'default',
  presence_penalty: 0,
  frequency_penalty: 0,
  n: 1,
}

/** The entries of a file, each with its place; undefined for what is none of OpenAI's. */
export function findOpenAi(root: unknown): { at: string; fields: Fields }[] | undefined {
  const entries = entriesOf(root)
  return entries.some(({ fields }) => isPromptObject(fields)) ? entries : undefined
}

function entriesOf(root: unknown): { at: string; fields: Fields }[] {
  if (Array.isArray(root)) {
    return root.flatMap((each, index) =>
      entriesOf(each).map(({ at, fields }) => ({
        at: `[${index}]${at === '' || at.startsWith('[') ? at : `.${at}`}`,
        fields,
      })),
    )
  }
  if (!isFields(root)) return []
  const wrapper = WRAPPERS.find((name) => Array.isArray(root[name]))
  if (wrapper !== undefined && !isPromptObject(root)) {
    return entriesOf(root[wrapper]).map(({ at, fields }) => ({ at: within(wrapper, at), fields }))
  }
  return [{ at: '', fields: root }]
}

function isPromptObject(fields: Fields): boolean {
  if (idOf(fields) !== undefined) return true
  if (fields.object === 'response' || fields.object === 'prompt') return true
  const isCall =
    MESSAGES.some((name) => Array.isArray(fields[name])) || textOf(fields.instructions) !== undefined
  return isCall && typeof fields.model === 'string'
}

function idOf({ id, prompt_id: promptId, prompt }: Fields): string | undefined {
  const inner = isFields(prompt) ? [prompt.id, prompt.prompt_id] : []
  return [id, promptId, ...inner].find((each): each is string => typeof each === 'string' && ALIAS.test(each))
}

/** Of several versions of one prompt the newest comes; the others have a line each. */
export function readOpenAi(
  entries: readonly { at: string; fields: Fields }[],
  { fileName, report }: { fileName: string; report: Report },
): ForeignPrompt[] {
  const newest = new Map<string, number>()
  entries.forEach(({ fields }, index) => {
    const id = idOf(fields)
    const held = id === undefined ? undefined : newest.get(id)
    const heldFields = held === undefined ? undefined : entries[held]?.fields
    if (id !== undefined && (heldFields === undefined || versionOf(fields) >= versionOf(heldFields))) {
      newest.set(id, index)
    }
  })
  return entries.flatMap(({ at, fields }, index) => {
    const id = idOf(fields)
    if (id !== undefined && newest.get(id) !== index) {
      report.lose(
        at,
        `Version ${versionOf(fields)} of ${id} stays behind: a newer one is in the file`,
        fields,
      )
      return []
    }
    return readEntry(fields, { at, fileName, report })
  })
}

interface Entry {
  at: string
  fileName: string
  report: Report
}

function readEntry(entry: Fields, { at, fileName, report }: Entry): ForeignPrompt[] {
  const { fields, version } = withNewestVersion(entry, { at, report })
  const alias = idOf(entry) ?? idOf(fields)
  const place = { at, report }
  const instructions = pick(fields, INSTRUCTIONS)
  const messagesThere = messagesOf(fields)
  const conversation = toConversation(messagesThere.list, {
    at: within(at, messagesThere.list.length === 0 ? 'instructions' : messagesThere.name),
    instructions:
      typeof instructions === 'string'
        ? convertReferences(instructions, { at: within(at, 'instructions'), report })
        : undefined,
    report,
  })
  if (conversation === undefined) {
    report.lose(at, withoutText(alias), fields)
    return []
  }
  const { content, systemPrompt, messages } = conversation
  const settings = { ...readSettings(settingsOf(fields), place), ...(systemPrompt && { systemPrompt }) }
  reportVariables(fields, { at, report })
  reportText(fields, place)
  reportOthers(fields, { ...place, known: KNOWN, usual: USUAL })
  const title = textOf(pick(entry, NAMES)) ?? textOf(pick(fields, NAMES)) ?? nameFrom(fileName, at)
  const savedAt = timeOf(pick(entry, SAVED_AT))
  return [
    {
      at,
      title: toTitle(title ?? titleFromText(content)),
      content,
      settings: messages.length === 0 ? settings : { ...settings, messages },
      tags: listOf(entry.tags).filter((tag) => typeof tag === 'string'),
      ...(alias !== undefined && { alias }),
      ...(savedAt !== undefined && entry.object !== 'response' && { savedAt }),
      note: `From OpenAI${alias === undefined ? '' : `, ${alias}`}${version === '' ? '' : `, version ${version}`}`,
    },
  ]
}

/** A reply lists the prompt's messages as its instructions; `input` is then what was asked beside. */
function messagesOf(fields: Fields): { name: string; list: unknown[] } {
  if (Array.isArray(fields.instructions)) return { name: 'instructions', list: fields.instructions }
  const name = MESSAGES.find((each) => !isEmpty(fields[each]))
  if (name !== undefined) return { name, list: toList(fields[name]) }
  const { prompt } = fields
  return { name: 'prompt', list: isFields(prompt) ? toList(prompt.messages) : toList(prompt) }
}

const toList = (value: unknown): unknown[] =>
  Array.isArray(value) ? value : typeof value === 'string' ? [value] : []

/** A reply says 1 where no temperature was asked for. */
function settingsOf(fields: Fields): Fields {
  if (fields.object !== 'response' || fields.temperature !== 1) return fields
  const { temperature: _, ...others } = fields
  return others
}

function withNewestVersion(
  entry: Fields,
  { at, report }: Omit<Entry, 'fileName'>,
): { fields: Fields; version: string } {
  const versions = listOf(entry.versions).filter(isFields)
  const [first, ...others] = versions
  if (first === undefined) return { fields: entry, version: labelOf(entry) }
  const newest = others.reduce((best, each) => (versionOf(each) > versionOf(best) ? each : best), first)
  versions.forEach((each, index) => {
    if (each === newest) return
    const place = within(within(at, 'versions'), `[${index}]`)
    report.lose(place, `Version ${versionOf(each)} stays behind: the newest one comes along`, each)
  })
  return { fields: { ...entry, ...newest, versions: [] }, version: labelOf(newest) }
}

function versionOf(fields: Fields): number {
  const number = Number(labelOf(fields))
  return Number.isFinite(number) ? number : 0
}

function labelOf({ version, prompt }: Fields): string {
  const own = version ?? (isFields(prompt) ? prompt.version : undefined)
  return typeof own === 'string' || typeof own === 'number' ? String(own).slice(0, 20) : ''
}

function reportVariables(fields: Fields, { at, report }: Omit<Entry, 'fileName'>): void {
  const given = fields.variables ?? (isFields(fields.prompt) ? fields.prompt.variables : undefined)
  if (isEmpty(given)) return
  const names = Array.isArray(given)
    ? given.map((each) => (isFields(each) ? String(each.name ?? '') : String(each)))
    : isFields(given)
      ? Object.keys(given)
      : []
  const list = names.slice(0, 5).join(', ').slice(0, 120)
  const isFilled = fields.object === 'response'
  report.lose(
    within(at, 'variables'),
    isFilled
      ? `The reply was saved with values in place of its variables (${list}): put them back as $<name> where they belong`
      : `What is set for its variables is kept as a note, their names come along: ${list}`,
    given,
  )
}

function reportText({ text }: Fields, { at, report }: Omit<Entry, 'fileName'>): void {
  if (!isFields(text)) return
  const usual = { verbosity: 'medium' }
  reportOthers(text, { at: within(at, 'text'), report, known: ['format'], usual })
}

function withoutText(alias: string | undefined): string {
  if (alias === undefined) return 'It has no text of a prompt'
  return `Only the id ${alias} is here, not the prompt’s text: copy it from OpenAI’s dashboard`
}

function nameFrom(fileName: string, at: string): string | undefined {
  if (at !== '') return undefined
  const name = baseName(fileName)
  return /^(pasted|untitled|prompts?|responses?|exports?|data|all|body)\b/i.test(name) ? undefined : name
}

function timeOf(value: unknown): string | undefined {
  const date = typeof value === 'number' ? new Date(value * 1000) : new Date(String(value ?? ''))
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}

/** Code that calls a prompt names it by its id only. */
export function reportCode(text: string, report: Report): boolean {
  const ids = new Set(text.match(ALIASES) ?? [])
  for (const id of [...ids].slice(0, 100)) report.lose('', withoutText(id))
  return ids.size > 0
}
