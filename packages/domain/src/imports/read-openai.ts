import { type Fields, isFields } from '../promptfoo/draft.ts'
import {
  baseName,
  type ForeignPrompt,
  isEmpty,
  listOf,
  NO_TEXT,
  namedOf,
  pick,
  pickText,
  type Report,
  titleFromText,
  within,
} from './draft.ts'
import { type Found, idOf, MESSAGES } from './openai-entries.ts'
import { convertReferences } from './references.ts'
import { readSettings, reportOthers, SETTING_NAMES, setAside } from './settings.ts'
import { createNames, type Names, textsIn } from './texts/names.ts'
import { SYNTAXES, type Syntax } from './texts/syntaxes.ts'
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
const ALIASES = /pmpt_[0-9A-Za-z_-]{1,123}/g
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

const OF_REPLY =
  `object status output output_text usage error incomplete_details background billing previous_response_id conversation
  completed_at safety_identifier user prompt_cache_key prompt_cache_retention stream`.split(/\s+/)
const OF_PROMPT = 'id prompt_id version versions prompt text variables tags'.split(' ')
const ASIDE = [...OF_REPLY, 'default_version', 'is_default', 'created_at', 'updated_at', 'last_updated_at']
const READ = [
  ...OF_PROMPT,
  ...OF_REPLY,
  ...MESSAGES,
  ...INSTRUCTIONS,
  ...NAMES,
  ...SAVED_AT,
  ...SETTING_NAMES,
  'default_version',
  'is_default',
]
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

export function readOpenAi(
  { entries, strange, beside }: Found,
  { fileName, report }: { fileName: string; report: Report },
): ForeignPrompt[] {
  for (const { at, value } of strange) report.lose(at, 'It is not a prompt', value)
  for (const { fields } of beside) setAside(fields, Object.keys(fields), 'OpenAI’s list', report)
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
        `Version ${versionOf(fields)} of ${id} is not imported: the file has a newer one`,
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
  const names = createNames(textsIn(fields))
  const reading = { report, names, syntax: SYNTAXES.openai }
  const instructions = instructionsOf(fields, { at, ...reading })
  const messagesThere = messagesOf(fields, place)
  const conversation = toConversation(messagesThere.list, {
    at: within(at, messagesThere.list.length === 0 ? 'instructions' : messagesThere.name),
    instructions,
    ...reading,
  })
  if (conversation === undefined) {
    report.lose(at, withoutText(alias), fields)
    return []
  }
  const { content, systemPrompt, messages } = conversation
  const settings = { ...readSettings(settingsOf(fields), place), ...(systemPrompt && { systemPrompt }) }
  reportVariables(fields, { at, report })
  reportText(fields, place)
  reportOthers(fields, { ...place, known: READ, usual: USUAL })
  setAside(fields, ASIDE, 'OpenAI', report)
  reportTags(entry.tags, { at: within(at, 'tags'), report })
  const named = entry === fields ? [entry] : [entry, fields]
  const [title] = named.flatMap((each) => pickText(each, NAMES, place) ?? [])
  reportIds(entry, { alias, report })
  const savedAt = timeOf(SAVED_AT.map((name) => entry[name]).find((value) => !isEmpty(value)))
  return [
    {
      at,
      title: title ?? nameFrom(fileName, at) ?? titleFromText(content),
      content,
      settings: messages.length === 0 ? settings : { ...settings, messages },
      tags: listOf(entry.tags).filter((tag) => typeof tag === 'string'),
      ...(alias !== undefined && { alias }),
      ...(savedAt !== undefined && entry.object !== 'response' && { savedAt }),
      note: `From OpenAI${alias === undefined ? '' : `, ${alias}`}${version === '' ? '' : `, version ${version}`}`,
    },
  ]
}

function instructionsOf(
  fields: Fields,
  { at, report, names, syntax }: Omit<Entry, 'fileName'> & { names: Names; syntax: Syntax },
): string | undefined {
  const found = pick(fields, INSTRUCTIONS, { at, report })
  if (found === undefined) return undefined
  const { name, value } = found
  if (typeof value === 'string')
    return convertReferences(value, { at: within(at, name), report, names, syntax })
  if (!(name === 'instructions' && Array.isArray(value)))
    report.lose(within(at, name), 'It is not text, so it is kept as a note', value)
  return undefined
}

/** A reply lists the prompt's messages as its instructions; `input` is then what was asked beside. */
function messagesOf(
  fields: Fields,
  { at, report }: Omit<Entry, 'fileName'>,
): { name: string; list: unknown[] } {
  const { prompt, instructions } = fields
  const isListed = Array.isArray(instructions)
  const ofPrompt = isFields(prompt) ? prompt.messages : prompt
  const given = Object.entries({
    ...(isListed && { instructions }),
    ...Object.fromEntries(MESSAGES.map((name) => [name, fields[name]])),
    ...(isFields(prompt) ? { 'prompt.messages': ofPrompt } : { prompt: ofPrompt }),
  }).filter(([, value]) => !isEmpty(value))
  const [first = ['prompt', []] as const, ...others] = given
  for (const [name, value] of others)
    report.lose(within(at, name), `${first[0]} is the prompt here: ${name} is kept as a note`, value)
  if (isFields(prompt)) {
    const {
      id: _,
      prompt_id: _id,
      version: _version,
      variables: _variables,
      messages: _messages,
      ...beside
    } = prompt
    reportOthers(beside, { at: within(at, 'prompt'), report, known: [] })
  }
  const [name, value] = first
  if (!isEmpty(value) && toList(value).length === 0)
    report.lose(within(at, name), 'It is not a list of messages, so it is kept as a note', value)
  return { name, list: toList(value) }
}

const toList = (value: unknown): unknown[] =>
  Array.isArray(value) ? value : typeof value === 'string' ? [value] : []

/** A reply says 1 where no temperature was asked for. */
function settingsOf(fields: Fields): Fields {
  if (fields.object !== 'response' || fields.temperature !== 1) return fields
  const { temperature: _, ...others } = fields
  return others
}

function reportVariables(fields: Fields, { at, report }: Omit<Entry, 'fileName'>): void {
  const given = fields.variables ?? (isFields(fields.prompt) ? fields.prompt.variables : undefined)
  if (isEmpty(given)) return
  const names = Array.isArray(given)
    ? given.map((each) => (isFields(each) ? String(each.name ?? '') : String(each)))
    : isFields(given)
      ? Object.keys(given)
      : []
  const list = namedOf(names)
  const isFilled = fields.object === 'response'
  report.lose(
    within(at, 'variables'),
    isFilled
      ? `The reply was saved with values instead of its variables (${list}). Put them back as $<name> where they belong`
      : `The values of its variables are kept as a note, their names are imported: ${list}`,
    given,
  )
}

function reportText({ text }: Fields, { at, report }: Omit<Entry, 'fileName'>): void {
  if (!isFields(text)) {
    if (!isEmpty(text)) report.lose(within(at, 'text'), 'It is kept as a note', text)
    return
  }
  const usual = { verbosity: 'medium' }
  reportOthers(text, { at: within(at, 'text'), report, known: ['format'], usual })
}

function reportIds(
  { id, prompt_id: promptId, version, prompt }: Fields,
  { alias, report }: { alias: string | undefined; report: Report },
): void {
  const inner = isFields(prompt)
    ? { 'prompt.id': prompt.id, 'prompt.prompt_id': prompt.prompt_id, 'prompt.version': prompt.version }
    : {}
  const ids = { id, prompt_id: promptId, version, ...inner }
  const isVersion = (name: string, value: unknown) =>
    name.endsWith('version') && (typeof value === 'string' || typeof value === 'number')
  const others = Object.entries(ids).filter(([name, value]) => value !== alias && !isVersion(name, value))
  report.setAside(
    'OpenAI',
    others.flatMap(([name, value]) => (isEmpty(value) ? [] : name)),
  )
}

function reportTags(tags: unknown, { at, report }: Omit<Entry, 'fileName'>): void {
  const strange = Array.isArray(tags) ? tags.filter((tag) => typeof tag !== 'string') : tags
  if (!isEmpty(strange)) report.lose(at, 'It is not a list of names', strange)
}

function withoutText(alias: string | undefined): string {
  if (alias === undefined) return NO_TEXT
  return `This has only the id ${alias}, not the prompt’s text. Copy the text from OpenAI’s dashboard`
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
  for (const id of ids) report.lose('', withoutText(id))
  return ids.size > 0
}

function withNewestVersion(
  entry: Fields,
  { at, report }: { at: string; report: Report },
): { fields: Fields; version: string } {
  const versions = listOf(entry.versions).filter(isFields)
  const [first, ...others] = versions
  if (!isEmpty(entry.versions) && versions.length < [entry.versions].flat().length)
    report.lose(within(at, 'versions'), 'Some are not versions of a prompt', entry.versions)
  if (first === undefined) return { fields: entry, version: labelOf(entry) }
  const newest = others.reduce((best, each) => (versionOf(each) > versionOf(best) ? each : best), first)
  versions.forEach((each, index) => {
    if (each === newest) return
    const place = within(within(at, 'versions'), `[${index}]`)
    report.lose(place, `Version ${versionOf(each)} is not imported, only the newest one`, each)
  })
  if (!isEmpty(newest.versions))
    report.lose(within(at, 'versions'), 'Versions of a version are kept as a note', newest.versions)
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
